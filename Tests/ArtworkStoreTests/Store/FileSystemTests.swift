import TestSupport

/// The store on file systems that are made for it. Mounted where no other process sees them.
@Suite("The store on a file system", .enabled(if: Mounts.isPossible, "nothing can be mounted here"))
struct FileSystemTests {
  private func trial() throws -> String {
    try BuiltTool.find().deletingLastPathComponent().appendingPathComponent("store-trial").path
  }

  private func mounted(_ script: String) throws -> String {
    let folder = try TemporaryFolder()
    let ended = try execute(
      "/usr/bin/unshare -m bash -ec", [script, try trial(), folder.url("").path])
    let output = ended.output
    #expect(ended.status == 0, "\(output) \(ended.error)")
    return output
  }

  @Test(
    "pauses and ends sessions on a full disk, whatever takes each free block, and is not healthy")
  func full() throws {
    let output = try mounted(
      """
      mount -t tmpfs -o size=2m none "$1"
      "$0" full "$1"
      """)
    #expect(output.contains("20 rounds on a full disk\nnot healthy: no-space"), "\(output)")
  }

  @Test("opens on a full disk, where gc and clear make room")
  func fullAtStart() throws {
    let output = try mounted(
      """
      mount -t tmpfs -o size=4m none "$1"
      cd "$1"
      mkdir sources && for name in a b c; do head -c 300000 /dev/urandom >sources/$name; done
      "$0" crash store sources >/dev/null
      rm -f store/index.sqlite-*
      dd if=/dev/zero of=junk bs=4k 2>/dev/null || true
      tool=$(dirname "$0")/artworkd
      "$tool" cache list --store store
      "$tool" cache gc --store store
      dd if=/dev/zero of=junk bs=4k oflag=append conv=notrunc 2>/dev/null || true
      "$tool" cache clear --store store
      dd if=/dev/zero of=new bs=1k count=500 2>/dev/null
      """)
    #expect(output.contains("2 artworks, "), "\(output)")
    #expect(output.contains("2 leases released"), "\(output)")
    #expect(output.contains("2 artworks removed"), "\(output)")
  }

  @Test(
    "shares blocks with leases where it can, which are then the session's own",
    .enabled(if: Mounts.canMakeBtrfs, "no Btrfs can be made here"))
  func shared() throws {
    let output = try mounted(
      """
      cd "$1"
      truncate -s 128M image && mkfs.btrfs -q image && mkdir mount && mount -o loop image mount
      trap 'umount "$1/mount"' EXIT
      mkdir sources && for name in a b c; do echo $name >sources/$name; done
      "$0" crash mount/store sources >/dev/null
      cat mount/store/leases/*/lease.json
      "$0" endure "$1/mount/life" --steps 300
      """)
    #expect(output.contains(#""making":"reflink""#) && !output.contains(#""making":"copy""#))
    #expect(output.contains("300 steps of seed 1 agree with the oracle"))
  }
}

private enum Mounts {
  static let isPossible = (try? execute("/usr/bin/unshare -m mount -t tmpfs none /mnt").status) == 0
  static let canMakeBtrfs =
    (try? execute(
      "/usr/bin/unshare -m bash -c",
      [
        "d=$(mktemp -d) && truncate -s 128M $d/i && mkfs.btrfs -q $d/i && mkdir $d/m && mount -o loop $d/i $d/m; r=$?; "
          + "umount $d/m; rm -rf $d; exit $r"
      ]
    ).status) == 0
}
