/// The introspection data of an exported player (D-Bus Specification, "org.freedesktop.DBus.Introspectable").
extension ExportedState {
  static let introspectable = "org.freedesktop.DBus.Introspectable"

  /// The interfaces of the object at a path, and the objects below it; `nil` if there is none.
  static func introspection(of path: String?) -> String? {
    switch path {
    case MPRIS.path: document(player)
    case "/": document(#"<node name="org"/>"#)
    case "/org": document(#"<node name="mpris"/>"#)
    case "/org/mpris": document(#"<node name="MediaPlayer2"/>"#)
    default: nil
    }
  }

  private static func document(_ contents: String) -> String {
    """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
    \(contents)
    </node>

    """
  }

  /// The part of MPRIS 2.2 that ``reaction(to:at:)`` implements. libsystemd itself implements Peer.
  private static let player = """
    <interface name="org.mpris.MediaPlayer2">
      <method name="Raise"/>
      <method name="Quit"/>
      <property name="CanQuit" type="b" access="read"/>
      <property name="CanRaise" type="b" access="read"/>
      <property name="HasTrackList" type="b" access="read"/>
      <property name="Identity" type="s" access="read"/>
      <property name="DesktopEntry" type="s" access="read"/>
      <property name="SupportedUriSchemes" type="as" access="read"/>
      <property name="SupportedMimeTypes" type="as" access="read"/>
    </interface>
    <interface name="org.mpris.MediaPlayer2.Player">
      <method name="Next"/>
      <method name="Previous"/>
      <method name="Pause"/>
      <method name="PlayPause"/>
      <method name="Stop"/>
      <method name="Play"/>
      <method name="Seek">
        <arg name="Offset" type="x" direction="in"/>
      </method>
      <method name="SetPosition">
        <arg name="TrackId" type="o" direction="in"/>
        <arg name="Position" type="x" direction="in"/>
      </method>
      <signal name="Seeked">
        <arg name="Position" type="x"/>
      </signal>
      <property name="PlaybackStatus" type="s" access="read"/>
      <property name="LoopStatus" type="s" access="readwrite"/>
      <property name="Rate" type="d" access="readwrite"/>
      <property name="Shuffle" type="b" access="readwrite"/>
      <property name="Metadata" type="a{sv}" access="read"/>
      <property name="Volume" type="d" access="read"/>
      <property name="Position" type="x" access="read">
        <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
      </property>
      <property name="MinimumRate" type="d" access="read"/>
      <property name="MaximumRate" type="d" access="read"/>
      <property name="CanGoNext" type="b" access="read"/>
      <property name="CanGoPrevious" type="b" access="read"/>
      <property name="CanPlay" type="b" access="read"/>
      <property name="CanPause" type="b" access="read"/>
      <property name="CanSeek" type="b" access="read"/>
      <property name="CanControl" type="b" access="read"/>
    </interface>
    <interface name="org.freedesktop.DBus.Properties">
      <method name="Get">
        <arg name="interface_name" type="s" direction="in"/>
        <arg name="property_name" type="s" direction="in"/>
        <arg name="value" type="v" direction="out"/>
      </method>
      <method name="GetAll">
        <arg name="interface_name" type="s" direction="in"/>
        <arg name="properties" type="a{sv}" direction="out"/>
      </method>
      <method name="Set">
        <arg name="interface_name" type="s" direction="in"/>
        <arg name="property_name" type="s" direction="in"/>
        <arg name="value" type="v" direction="in"/>
      </method>
      <signal name="PropertiesChanged">
        <arg name="interface_name" type="s"/>
        <arg name="changed_properties" type="a{sv}"/>
        <arg name="invalidated_properties" type="as"/>
      </signal>
    </interface>
    <interface name="org.freedesktop.DBus.Introspectable">
      <method name="Introspect">
        <arg name="xml_data" type="s" direction="out"/>
      </method>
    </interface>
    <interface name="org.freedesktop.DBus.Peer">
      <method name="Ping"/>
      <method name="GetMachineId">
        <arg name="machine_uuid" type="s" direction="out"/>
      </method>
    </interface>
    """
}
