/// The members of a JSON object in the order of their document, duplicates included.
///
/// Reading by key gives the last of several members with one name, as PostgreSQL's jsonb does. Look-up is a linear
/// search: the objects of this service have some tens of members, where that beats hashing.
package struct JSONObject: Sendable {
    /// One name and its value.
    package struct Member: Sendable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// All members in document order, duplicates included.
    package private(set) var members: [Member]

    /// An object with these members, in this order.
    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// The names in document order, duplicates included.
    package var keys: [String] { members.map(\.key) }

    /// The number of members, duplicates included.
    package var count: Int { members.count }

    package var isEmpty: Bool { members.isEmpty }

    /// The value of the last member of that name. Setting a value keeps the place of an existing member and drops its
    /// duplicates; setting nil removes every member of that name.
    package subscript(key: String) -> JSONValue? {
        get {
            members.last { $0.key.hasSameBytes(as: key) }?.value
        }
        set {
            guard let newValue else {
                remove(key)
                return
            }
            guard let index = members.firstIndex(where: { $0.key.hasSameBytes(as: key) }) else {
                members.append(Member(key: key, value: newValue))
                return
            }
            members[index].value = newValue
            members[(index + 1)...].removeAll { $0.key.hasSameBytes(as: key) }
        }
    }

    /// Sets a member; the same as assigning through the subscript.
    package mutating func set(_ key: String, _ value: JSONValue) {
        self[key] = value
    }

    /// Adds a member at the end without looking for one of the same name.
    package mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// Removes every member of that name and gives the value the object had for it.
    @discardableResult
    package mutating func remove(_ key: String) -> JSONValue? {
        let removed = self[key]
        if removed != nil {
            members.removeAll { $0.key.hasSameBytes(as: key) }
        }
        return removed
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(key: $0.0, value: $0.1) })
    }
}

extension JSONObject: Hashable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        if left.members.count == right.members.count
            && zip(left.members, right.members).allSatisfy({ $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value })
        {
            return true
        }
        let (left, right) = (left.distinctMembersSorted(), right.distinctMembersSorted())
        return left.count == right.count
            && zip(left, right).allSatisfy { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        let distinct = distinctMembersSorted()
        hasher.combine(distinct.count)
        for member in distinct {
            hasher.combine(member.key)
            hasher.combine(member.value)
        }
    }

    /// The members by the length, then by the UTF-8 bytes of their names, each name once with its last value.
    func distinctMembersSorted() -> [Member] {
        JSONObject.distinctSorted(members)
    }

    static func distinctSorted(_ members: [Member]) -> [Member] {
        // Sorted are small numbers in place of the members, as moving strings about would cost more than all the rest.
        var places: [Place] = []
        places.reserveCapacity(members.count)
        for index in members.indices {
            let name = members[index].key.utf8Span.span
            places.append(Place(index: index, count: name.count, prefix: Place.prefix(name)))
        }
        // The standard sort is stable, so among equal names the last member of the document stays last.
        places.sort { left, right in
            if left.count != right.count { return left.count < right.count }
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            guard left.count > 8 else { return false }
            return members[left.index].key.utf8.lexicographicallyPrecedes(members[right.index].key.utf8)
        }
        var distinct: [Member] = []
        distinct.reserveCapacity(members.count)
        for position in places.indices {
            let place = places[position]
            if position + 1 < places.count {
                let next = places[position + 1]
                if next.count == place.count, next.prefix == place.prefix,
                    members[next.index].key.hasSameBytes(as: members[place.index].key)
                {
                    continue
                }
            }
            distinct.append(members[place.index])
        }
        return distinct
    }

    /// A member in the order of jsonb: by the length of its name in UTF-8 bytes, then by those bytes.
    private struct Place {
        let index: Int
        let count: Int
        /// The first eight bytes, the first one highest.
        let prefix: UInt64

        static func prefix(_ name: Span<UInt8>) -> UInt64 {
            var prefix: UInt64 = 0
            for index in 0..<min(name.count, 8) { prefix = prefix << 8 | UInt64(name[index]) }
            return prefix
        }
    }
}
