package import JSON

extension JSONObject {
    /// Sets a member that is absent; one that is null stays, as the word that there shall be none.
    mutating func setDefault(_ key: String, _ value: JSONValue?) {
        guard let value, self[key] == nil else { return }
        append(key, value)
    }

    /// The object without the members that are null.
    var withoutNulls: JSONObject {
        JSONObject(members.filter { !$0.value.isNull })
    }

    /// The other object laid over this one: objects are merged member by member, anything else is replaced. A null
    /// is laid over like any value and is signed as null.
    package func merging(_ other: JSONObject) -> JSONObject {
        var result = self
        for member in other.members {
            if case .object(let below)? = result[member.key], case .object(let above) = member.value {
                result[member.key] = .object(below.merging(above))
            } else {
                result[member.key] = member.value
            }
        }
        return result
    }
}
