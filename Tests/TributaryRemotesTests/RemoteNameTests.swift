import Testing
import TributaryModel
import TributaryRemotes

@Suite struct RemoteNames {
  @Test(arguments: [
    (RemoteName.head(alice), "head.bin"),
    (.key(alice, epoch: 7), "key-0000000007.bin"),
    (.key(alice, epoch: .max), "key-4294967295.bin"),
    (.fence(alice, epoch: 0), "fence-0000000000.bin"),
    (.log(alice, seq: 1), "0000000000000001.log"),
    (.log(alice, seq: RemoteName.seqLimit - 1), "9007199254740991.log"),
    (.snapshot(alice, seq: 12, part: 65535), "snapshot-0000000000000012.65535.snap"),
  ])
  func aNameIsSpelledOneWayAndReadBack(name: RemoteName, fileName: String) {
    #expect(name.fileName == fileName)
    #expect(name.path == "sync/\(alice)/\(fileName)")
    #expect(RemoteName(path: name.path) == name)
  }

  @Test(arguments: [
    "", ".log", "1.log", "000000000000001.log", "00000000000000001.log", "9007199254740992.log",
    "9999999999999999.log", "000000000000000a.log", "+000000000000001.log", "-000000000000001.log",
    "0000000000000001.LOG", "0000000000000001.log ", " 0000000000000001.log", "0000000000000001.log\n",
    "0000000000000001.log\0", "0000000000000001 (conflicted copy).log",
    "0000000000000001.sync-conflict-20260101-120000-ABCDEFG.log", "0000000000000001.log.tmp",
    "0000000000000001 2.log", "٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠١.log", ".0000000000000001.log.icloud", "Head.bin", "head.bin~",
    "head (1).bin", "key-1.bin", "key-4294967296.bin", "key-00000000007.bin", "key-0000000007.log",
    "fence-.bin", "fence-9999999999.bin", "snapshot-0000000000000012.snap",
    "snapshot-0000000000000012.65536.snap", "snapshot-0000000000000012.1.snap",
    "snapshot-9007199254740992.00000.snap", "snapshot-0000000000000012-00001.snap",
    "snapshot-0000000000000012.00001.log", "../head.bin", "a/head.bin", ".", "..", "~up-1.tmp",
    "kéy-0000000007.bin",
  ])
  func anyOtherSpellingIsNoName(fileName: String) {
    #expect(RemoteName(device: alice, fileName: fileName) == nil)
    #expect(RemoteName(path: "sync/\(alice)/\(fileName)") == nil)
  }

  @Test(arguments: [
    "sync/head.bin", "/sync/\(alice)/head.bin", "sync//\(alice)/head.bin", "sync/\(alice)/head.bin/",
    "Sync/\(alice)/head.bin", "sync/\("\(alice)".uppercased())/head.bin", "sync/x/head.bin",
    "sync/../head.bin",
  ])
  func anyOtherPathIsNoName(path: String) {
    #expect(RemoteName(path: path) == nil)
  }
}
