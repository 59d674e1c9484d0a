/// A response status code (RFC 9110 section 15).
package struct HTTPStatus: Sendable, Hashable {
    /// 200 to 599; informational ones are the library's business.
    package let code: Int

    package init(_ code: Int) {
        self.code = code
    }

    package static let ok: HTTPStatus = 200
    package static let noContent: HTTPStatus = 204
    package static let badRequest: HTTPStatus = 400
    package static let unauthorized: HTTPStatus = 401
    package static let forbidden: HTTPStatus = 403
    package static let notFound: HTTPStatus = 404
    package static let methodNotAllowed: HTTPStatus = 405
    package static let contentTooLarge: HTTPStatus = 413
    package static let unsupportedMediaType: HTTPStatus = 415
    package static let tooManyRequests: HTTPStatus = 429
    package static let headerFieldsTooLarge: HTTPStatus = 431
    package static let internalServerError: HTTPStatus = 500
    package static let serviceUnavailable: HTTPStatus = 503
}

extension HTTPStatus: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(value) }
}
