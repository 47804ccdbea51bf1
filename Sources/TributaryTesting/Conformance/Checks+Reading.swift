import TributaryRemotes

extension RemoteConformance {
  static var reading: [Check] {
    [
      Check(name: "whatIsNotThereReadsAsAbsent") { remote in
        try demand(remote.read(.head(alice)), .absent, "in an empty remote")
        try remote.replace(.head(alice), [1])
        try demand(remote.read(.log(alice, seq: 1)), .absent, "beside a head")
        try demand(remote.read(.head(bob)), .absent, "of another device")
      },
      Check(name: "aReadBeyondTheLimitIsRefused") { remote in
        let name = RemoteName.log(alice, seq: 1)
        _ = try remote.publish(name, [UInt8](repeating: 1, count: 100))
        try demand(.tooLarge, "a limit of 99") { _ = try remote.read(name, ifNot: nil, limit: 99) }
        let whole = try remote.read(name, ifNot: nil, limit: 100)
        try demandBytes(whole, [UInt8](repeating: 1, count: 100), "a limit of 100")
      },
      Check(name: "aTagNeverHidesAChange") { remote in
        try remote.replace(.head(alice), [1])
        guard case .bytes(_, let tag) = try remote.read(.head(alice)) else { throw Broken("no head") }
        // A tag is a hint: reading again is allowed, other bytes are not.
        let again = try remote.read(.head(alice), ifNot: tag)
        if again != .notModified { try demandBytes(again, [1], "the same head") }
        try remote.replace(.head(alice), [2])
        try demandBytes(remote.read(.head(alice), ifNot: tag), [2], "the next head")
      },
      Check(name: "theIdentityIsStable") { remote in
        let before = try remote.identity
        try remote.replace(.head(alice), [1])
        try demand(remote.identity, before, "after a write")
        if before.isEmpty { throw Broken("the identity is empty") }
      },
    ]
  }

  static var listing: [Check] {
    [
      Check(name: "anEmptyRemoteListsNothing") { remote in
        try demand(remote.list(device: nil), Listing(), "devices")
        try demand(remote.list(device: alice), Listing(), "files")
      },
      Check(name: "listingsShowEveryDeviceAndFileOnce") { remote in
        try remote.replace(.head(alice), [1, 2, 3])
        for seq in 1...20 { _ = try remote.publish(.log(alice, seq: UInt64(seq)), [1]) }
        try remote.replace(.head(bob), [1])
        let devices = try remote.list(device: nil).devices
        try demand(devices.sorted(), [alice, bob], "devices")
        let names = try remote.list(device: alice).entries.map(\.name)
        try demand(names.sorted(), (1...20).map { .log(alice, seq: $0) } + [.head(alice)], "files")
        try demand(remote.list(device: bob).entries.map(\.name), [.head(bob)], "files of the other")
      },
      Check(name: "listedSizesAreTrue") { remote in
        _ = try remote.publish(.log(alice, seq: 1), [1, 2, 3])
        guard let size = try remote.list(device: alice).entries.first?.size else { return }
        try demand(size, 3, "the size")
      },
      Check(name: "aDeletedFileIsNotListed") { remote in
        _ = try remote.publish(.log(alice, seq: 1), [1])
        _ = try remote.publish(.log(alice, seq: 2), [1])
        try remote.delete(.log(alice, seq: 1))
        try demand(remote.list(device: alice).entries.map(\.name), [.log(alice, seq: 2)], "files")
      },
      Check(name: "probingLeavesNothingBehind") { remote in
        _ = try remote.probe()
        _ = try remote.usage()
        try demand(remote.list(device: nil), Listing(), "devices")
      },
    ]
  }
}
