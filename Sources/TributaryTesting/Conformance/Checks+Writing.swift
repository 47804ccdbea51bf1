import TributaryModel
import TributaryRemotes

let alice = DeviceID(high: 1, low: 2)
let bob = DeviceID(high: 3, low: 4)

extension RemoteConformance {
  static var writing: [Check] {
    [
      Check(name: "aPublishedFileReadsBackWhole") { remote in
        for (index, size) in [1, 400, 65_537, 512 << 10].enumerated() {
          let name = RemoteName.log(alice, seq: UInt64(index))
          let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
          try demand(remote.publish(name, bytes), .created, "publishing \(size) bytes")
          try demandBytes(remote.read(name), bytes, "reading \(size) bytes back")
        }
      },
      Check(name: "everyKindOfNameIsStored") { remote in
        try remote.replace(.head(alice), [1])
        let names: [RemoteName] = [
          .key(alice, epoch: .max), .fence(alice, epoch: 0), .log(alice, seq: RemoteName.seqLimit - 1),
          .snapshot(alice, seq: 9, part: .max),
        ]
        for name in names { try demand(remote.publish(name, [2]), .created, "publishing \(name)") }
        for name in names { try demandBytes(remote.read(name), [2], "reading \(name)") }
      },
      Check(name: "publishingAgainSaysSo") { remote in
        let name = RemoteName.log(alice, seq: 1)
        try demand(remote.publish(name, [1, 2]), .created, "the first time")
        try demand(remote.publish(name, [1, 2]), .alreadySame, "the second time")
      },
      Check(name: "aConflictShowsAndKeepsTheFirstBytes") { remote in
        let name = RemoteName.log(alice, seq: 1)
        try demand(remote.publish(name, [1, 2]), .created, "the first")
        try demand(remote.publish(name, [3]), .conflict([1, 2]), "the second")
        try demandBytes(remote.read(name), [1, 2], "reading after the conflict")
      },
      Check(name: "aShorterHeadLeavesNoTail") { remote in
        try remote.replace(.head(alice), [UInt8](repeating: 7, count: 3000))
        try remote.replace(.head(alice), [8])
        try demandBytes(remote.read(.head(alice)), [8], "the head")
      },
      Check(name: "onlyHeadsAreReplacedAndOnlyTheOthersPublished") { remote in
        try demand(.permanent, "replacing a log") { try remote.replace(.log(alice, seq: 1), [1]) }
        try demand(.permanent, "publishing a head") { _ = try remote.publish(.head(alice), [1]) }
        try demand(remote.read(.log(alice, seq: 1)), .absent, "the log")
      },
      Check(name: "whatIsTooLongIsRefusedBeforeItIsStored") { remote in
        let bytes = [UInt8](repeating: 0, count: (512 << 10) + 1)
        try demand(.tooLarge, "publishing") { _ = try remote.publish(.log(alice, seq: 1), bytes) }
        try demand(remote.read(.log(alice, seq: 1)), .absent, "the log")
      },
      Check(name: "deletingTwiceIsFineAndFreesTheName") { remote in
        let name = RemoteName.log(alice, seq: 1)
        try remote.delete(name)
        _ = try remote.publish(name, [1])
        try remote.delete(name)
        try remote.delete(name)
        try demand(remote.read(name), .absent, "after the delete")
        try demand(remote.publish(name, [2]), .created, "publishing again")
      },
    ]
  }
}
