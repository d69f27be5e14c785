extension MediaCommand {
  /// Combines the expressions of a handler into a status: success, unless one of them is another status. All of them
  /// are evaluated, and the first other status wins. The compiler does not transform a handler with `return`.
  @resultBuilder
  public enum StatusBuilder {
    public static func buildExpression(_ status: CommandStatus) -> CommandStatus { status }

    /// Means success, also if an optional chain is `nil`, as in `self?.play()`.
    public static func buildExpression(_ nothing: Void?) -> CommandStatus { .success }

    public static func buildBlock(_ statuses: CommandStatus...) -> CommandStatus {
      buildArray(statuses)
    }

    public static func buildOptional(_ status: CommandStatus?) -> CommandStatus {
      status ?? .success
    }

    public static func buildEither(first status: CommandStatus) -> CommandStatus { status }

    public static func buildEither(second status: CommandStatus) -> CommandStatus { status }

    public static func buildArray(_ statuses: [CommandStatus]) -> CommandStatus {
      statuses.first { $0 != .success } ?? .success
    }
  }
}
