internal import CLibcrypto

/// Multiples of one public key's point, computed in advance, so that multiplying it costs as little as multiplying the
/// curve's own base point.
///
/// Verifying a signature spends most of its time on one product with the public key's point, which libcrypto has to
/// work out from scratch, while for the base point it has a table. Here libcrypto makes such a table for the key: a
/// copy of the curve is told that the key's point is its base. Takes about 15 ms and 150 KiB.
///
/// Unchecked: group and points are complete before the value can be shared, and are only read afterwards.
@safe final class P256PointTable: @unchecked Sendable {
    private let curve: OpaquePointer
    /// The curve with the key's point in the place of its base point.
    private let keyCurve: OpaquePointer

    /// Nil when libcrypto cannot make the table, or it does not give the same results as the plain way.
    init?(_ key: ECKeyHandle) {
        defer { LibraryErrors.discard() }
        guard let curve = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        guard let keyCurve = unsafe EC_GROUP_dup(curve) else {
            unsafe EC_GROUP_free(curve)
            return nil
        }
        unsafe self.curve = unsafe curve
        unsafe self.keyCurve = unsafe keyCurve
        guard
            let point = unsafe EC_KEY_get0_public_key(key.pointer),
            // Every point but infinity generates the whole group, whose order is prime: the cofactor is one.
            unsafe EC_GROUP_set_generator(keyCurve, point, EC_GROUP_get0_order(curve), BN_value_one()) == 1,
            unsafe EC_GROUP_precompute_mult(keyCurve, nil) == 1,
            unsafe isConsistent(with: point)
        else { return nil }
    }

    deinit {
        unsafe EC_GROUP_free(keyCurve)
        unsafe EC_GROUP_free(curve)
    }

    /// Whether r and s, 32 bytes each, are a signature over `digest` (FIPS 186-5 section 6.4.2); nil when libcrypto failed
    /// and nothing can be said.
    func isValidSignature(_ signature: UnsafeRawBufferPointer, digest: SHA256Digest) -> Bool? {
        defer { LibraryErrors.discard() }
        guard let numbers = unsafe BN_CTX_new() else { return nil }
        defer { unsafe BN_CTX_free(numbers) }
        unsafe BN_CTX_start(numbers)
        defer { unsafe BN_CTX_end(numbers) }
        guard
            let order = unsafe EC_GROUP_get0_order(curve),
            let bytes = unsafe signature.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let r = unsafe BN_bin2bn(bytes, 32, BN_CTX_get(numbers)),
            let s = unsafe BN_bin2bn(bytes + 32, 32, BN_CTX_get(numbers)),
            let e = unsafe digest.withUnsafeBytes({ bytes in
                unsafe BN_bin2bn(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), 32, BN_CTX_get(numbers))
            })
        else { return nil }
        guard unsafe BN_is_zero(r) == 0, unsafe BN_ucmp(r, order) < 0 else { return false }
        guard unsafe BN_is_zero(s) == 0, unsafe BN_ucmp(s, order) < 0 else { return false }
        guard
            let factor1 = unsafe BN_CTX_get(numbers),
            let factor2 = unsafe BN_CTX_get(numbers),
            let inverse = unsafe BN_CTX_get(numbers),
            let sum = unsafe EC_POINT_new(curve)
        else { return nil }
        defer { unsafe EC_POINT_free(sum) }
        guard let product = unsafe EC_POINT_new(curve) else { return nil }
        defer { unsafe EC_POINT_free(product) }
        guard
            let inverseBytes = unsafe P256Order.inverse(of: UnsafeRawBufferPointer(rebasing: signature[32..<64])),
            unsafe BN_bin2bn(inverseBytes, 32, inverse) != nil,
            unsafe BN_mod_mul(factor1, e, inverse, order, numbers) == 1,
            unsafe BN_mod_mul(factor2, r, inverse, order, numbers) == 1,
            unsafe EC_POINT_mul(curve, sum, factor1, nil, nil, numbers) == 1,
            unsafe EC_POINT_mul(keyCurve, product, factor2, nil, nil, numbers) == 1,
            unsafe EC_POINT_add(curve, sum, sum, product, numbers) == 1
        else { return nil }
        guard unsafe EC_POINT_is_at_infinity(curve, sum) == 0 else { return false }
        return unsafe hasCoordinate(sum, r, order, numbers)
    }

    /// Whether the first coordinate of a point is `r` modulo the order; nil when libcrypto failed.
    ///
    /// The coordinate is X / Z². Multiplying the other side saves the division. It is below the curve's prime, which is
    /// less than twice the order, so it is `r` or `r` plus the order.
    private func hasCoordinate(
        _ point: OpaquePointer,
        _ r: OpaquePointer,
        _ order: OpaquePointer,
        _ numbers: OpaquePointer
    ) -> Bool? {
        guard
            let prime = unsafe EC_GROUP_get0_field(curve),
            let x = unsafe BN_CTX_get(numbers),
            let z = unsafe BN_CTX_get(numbers),
            let expected = unsafe BN_CTX_get(numbers),
            unsafe EC_POINT_get_Jprojective_coordinates_GFp(curve, point, x, nil, z, numbers) == 1,
            unsafe BN_mod_sqr(z, z, prime, numbers) == 1,
            unsafe BN_mod_mul(expected, r, z, prime, numbers) == 1
        else { return nil }
        if unsafe BN_cmp(x, expected) == 0 { return true }
        guard unsafe BN_add(expected, r, order) == 1 else { return nil }
        guard unsafe BN_cmp(expected, prime) < 0 else { return false }
        guard unsafe BN_mod_mul(expected, expected, z, prime, numbers) == 1 else { return nil }
        return unsafe BN_cmp(x, expected) == 0
    }

    /// Compares a product made with the table to one made without, for a factor that reaches all parts of the table.
    private func isConsistent(with point: OpaquePointer) -> Bool {
        guard let factor = unsafe BN_new() else { return false }
        defer { unsafe BN_free(factor) }
        guard let left = unsafe EC_POINT_new(curve) else { return false }
        defer { unsafe EC_POINT_free(left) }
        guard let right = unsafe EC_POINT_new(curve) else { return false }
        defer { unsafe EC_POINT_free(right) }
        for _ in 0..<4 {
            guard
                unsafe BN_rand_range(factor, EC_GROUP_get0_order(curve)) == 1,
                unsafe EC_POINT_mul(keyCurve, left, factor, nil, nil, nil) == 1,
                unsafe EC_POINT_mul(curve, right, nil, point, factor, nil) == 1,
                unsafe EC_POINT_cmp(curve, left, right, nil) == 0
            else { return false }
        }
        return true
    }
}
