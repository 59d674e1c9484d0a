/// Every error code that is documented for the App Store Server API (App Store Server API, Error codes). A code that is
/// not listed stays in ``ServerAPIRefusal`` as a number.
package enum ServerAPIErrorCode: Int64, Sendable, Hashable, CaseIterable {
    case generalBadRequest = 4_000_000
    case invalidAppIdentifier = 4_000_002
    case invalidRequestRevision = 4_000_005
    case invalidTransactionID = 4_000_006
    case invalidOriginalTransactionID = 4_000_008
    case invalidExtendByDays = 4_000_009
    case invalidExtendReasonCode = 4_000_010
    case invalidRequestIdentifier = 4_000_011
    case startDateTooFarInPast = 4_000_012
    case startDateAfterEndDate = 4_000_013
    case invalidPaginationToken = 4_000_014
    case invalidStartDate = 4_000_015
    case invalidEndDate = 4_000_016
    case paginationTokenExpired = 4_000_017
    case invalidNotificationType = 4_000_018
    case multipleFiltersSupplied = 4_000_019
    case invalidTestNotificationToken = 4_000_020
    case invalidSort = 4_000_021
    case invalidProductType = 4_000_022
    case invalidProductID = 4_000_023
    case invalidSubscriptionGroupIdentifier = 4_000_024
    case invalidExcludeRevoked = 4_000_025
    case invalidInAppOwnershipType = 4_000_026
    case invalidEmptyStorefrontCountryCodeList = 4_000_027
    case invalidStorefrontCountryCode = 4_000_028
    case invalidRevoked = 4_000_030
    case invalidStatus = 4_000_031
    case invalidAccountTenure = 4_000_032
    case invalidAppAccountToken = 4_000_033
    case invalidConsumptionStatus = 4_000_034
    case invalidCustomerConsented = 4_000_035
    case invalidDeliveryStatus = 4_000_036
    case invalidLifetimeDollarsPurchased = 4_000_037
    case invalidLifetimeDollarsRefunded = 4_000_038
    case invalidPlatform = 4_000_039
    case invalidPlayTime = 4_000_040
    case invalidSampleContentProvided = 4_000_041
    case invalidUserStatus = 4_000_042
    case invalidTransactionNotConsumable = 4_000_043
    case invalidTransactionTypeNotSupported = 4_000_047
    case appTransactionIDNotSupported = 4_000_048
    case invalidImage = 4_000_161
    case headerTooLong = 4_000_162
    case bodyTooLong = 4_000_163
    case invalidLocale = 4_000_164
    case altTextTooLong = 4_000_175
    case invalidAppAccountTokenUUID = 4_000_183
    case familyTransactionNotSupported = 4_000_185
    case transactionIDIsNotOriginal = 4_000_187
    case invalidPerformanceTestRequest = 4_000_211
    case invalidPerformanceTestRequestID = 4_000_212
    case performanceTestExists = 4_000_213
    case invalidRealtimeURL = 4_000_215
    case invalidImageSize = 4_000_216
    case tooManyBulletPoints = 4_000_218
    case bulletPointTextTooLong = 4_000_219
    case headerAboveImageNeedsImage = 4_000_224
    case subscriptionExtensionIneligible = 4_030_004
    case subscriptionMaximumExtensions = 4_030_005
    case familySharedExtensionIneligible = 4_030_007
    case maximumNumberOfImagesReached = 4_030_014
    case maximumNumberOfMessagesReached = 4_030_016
    case messageNotApproved = 4_030_017
    case imageNotApproved = 4_030_018
    case imageInUse = 4_030_019
    case noPassingPerformanceTest = 4_030_026
    case accountNotFound = 4_040_001
    case accountNotFoundRetryable = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundRetryable = 4_040_004
    case originalTransactionIDNotFound = 4_040_005
    case originalTransactionIDNotFoundRetryable = 4_040_006
    case serverNotificationURLNotFound = 4_040_007
    case testNotificationNotFound = 4_040_008
    case statusRequestNotFound = 4_040_009
    case transactionIDNotFound = 4_040_010
    case imageNotFound = 4_040_014
    case messageNotFound = 4_040_015
    case performanceTestRunNotFound = 4_040_018
    case appTransactionDoesNotExist = 4_040_019
    case defaultMessageNotFound = 4_040_020
    case realtimeURLNotFound = 4_040_021
    case imageAlreadyExists = 4_090_000
    case messageAlreadyExists = 4_090_001
    case rateLimitExceeded = 4_290_000
    case generalInternal = 5_000_000
    case generalInternalRetryable = 5_000_001

    /// Whether the same call may succeed later without a change.
    package var isRetryable: Bool {
        switch self {
        case .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIDNotFoundRetryable,
            .rateLimitExceeded, .generalInternal, .generalInternalRetryable:
            true
        default: false
        }
    }

    /// Whether the environment that was asked does not know the transaction, so that it may be of the other one.
    package var meansUnknownTransaction: Bool {
        self == .transactionIDNotFound || self == .originalTransactionIDNotFound
    }

    /// What it means, in words that can stand in a message.
    package var meaning: String {
        switch self {
        case .generalBadRequest: "the request is not valid"
        case .invalidAppIdentifier: "the app's identifier is not valid"
        case .invalidRequestRevision: "the revision is not valid"
        case .invalidTransactionID: "the transaction id is not valid"
        case .invalidOriginalTransactionID: "the original transaction id is not valid"
        case .invalidExtendByDays: "the number of days is not valid"
        case .invalidExtendReasonCode: "the reason of the extension is not valid"
        case .invalidRequestIdentifier: "the request identifier is not valid"
        case .startDateTooFarInPast: "the start date is further back than history is kept"
        case .startDateAfterEndDate: "the start date is not before the end date"
        case .invalidPaginationToken: "the pagination token is not valid"
        case .invalidStartDate: "the start date is not valid"
        case .invalidEndDate: "the end date is not valid"
        case .paginationTokenExpired: "the pagination token has expired"
        case .invalidNotificationType: "the notification type or subtype is not valid"
        case .multipleFiltersSupplied: "more than one filter was given"
        case .invalidTestNotificationToken: "the token of the test notification is not valid"
        case .invalidSort: "the sort order is not valid"
        case .invalidProductType: "the product type is not valid"
        case .invalidProductID: "the product id is not valid"
        case .invalidSubscriptionGroupIdentifier: "the subscription group is not valid"
        case .invalidExcludeRevoked: "the filter excludeRevoked is not valid"
        case .invalidInAppOwnershipType: "the ownership type is not valid"
        case .invalidEmptyStorefrontCountryCodeList: "the list of storefronts is empty"
        case .invalidStorefrontCountryCode: "a storefront's country code is not valid"
        case .invalidRevoked: "the filter revoked is not valid"
        case .invalidStatus: "the status is not valid"
        case .invalidAccountTenure: "accountTenure is not valid"
        case .invalidAppAccountToken: "appAccountToken is not valid"
        case .invalidConsumptionStatus: "consumptionStatus is not valid"
        case .invalidCustomerConsented: "customerConsented is not valid"
        case .invalidDeliveryStatus: "deliveryStatus is not valid"
        case .invalidLifetimeDollarsPurchased: "lifetimeDollarsPurchased is not valid"
        case .invalidLifetimeDollarsRefunded: "lifetimeDollarsRefunded is not valid"
        case .invalidPlatform: "platform is not valid"
        case .invalidPlayTime: "playTime is not valid"
        case .invalidSampleContentProvided: "sampleContentProvided is not valid"
        case .invalidUserStatus: "userStatus is not valid"
        case .invalidTransactionNotConsumable: "the transaction is not of a consumable"
        case .invalidTransactionTypeNotSupported: "this type of transaction is not supported"
        case .appTransactionIDNotSupported: "an app transaction id is not supported here"
        case .invalidImage: "the image is not valid"
        case .headerTooLong: "the header is too long"
        case .bodyTooLong: "the body is too long"
        case .invalidLocale: "the locale is not valid"
        case .altTextTooLong: "the alternative text is too long"
        case .invalidAppAccountTokenUUID: "the app account token is no UUID"
        case .familyTransactionNotSupported: "transactions of family sharing are not supported here"
        case .transactionIDIsNotOriginal: "the transaction id is not an original one"
        case .invalidPerformanceTestRequest: "the performance test is not valid"
        case .invalidPerformanceTestRequestID: "the id of the performance test is not valid"
        case .performanceTestExists: "a performance test is running already"
        case .invalidRealtimeURL: "the realtime URL is not valid"
        case .invalidImageSize: "the size of the image is not valid"
        case .tooManyBulletPoints: "there are too many bullet points"
        case .bulletPointTextTooLong: "the text of a bullet point is too long"
        case .headerAboveImageNeedsImage: "a header above the image needs an image"
        case .subscriptionExtensionIneligible: "the subscription cannot be extended"
        case .subscriptionMaximumExtensions: "the subscription was extended as often as is allowed"
        case .familySharedExtensionIneligible: "a family member's subscription cannot be extended directly"
        case .maximumNumberOfImagesReached: "there are as many images as allowed"
        case .maximumNumberOfMessagesReached: "there are as many messages as allowed"
        case .messageNotApproved: "the message is not approved"
        case .imageNotApproved: "the image is not approved"
        case .imageInUse: "the image is in use"
        case .noPassingPerformanceTest: "no performance test has passed"
        case .accountNotFound: "the account was not found"
        case .accountNotFoundRetryable: "the account was not found; trying again may help"
        case .appNotFound: "the app was not found"
        case .appNotFoundRetryable: "the app was not found; trying again may help"
        case .originalTransactionIDNotFound: "the original transaction id was not found"
        case .originalTransactionIDNotFoundRetryable: "the original transaction id was not found; trying again may help"
        case .serverNotificationURLNotFound: "App Store Connect has no notification URL for this app and environment"
        case .testNotificationNotFound: "the test notification is unknown or has expired"
        case .statusRequestNotFound: "the extension request is unknown"
        case .transactionIDNotFound: "the transaction id was not found"
        case .imageNotFound: "the image was not found"
        case .messageNotFound: "the message was not found"
        case .performanceTestRunNotFound: "the run of the performance test was not found"
        case .appTransactionDoesNotExist: "there is no app transaction"
        case .defaultMessageNotFound: "the default message was not found"
        case .realtimeURLNotFound: "the realtime URL was not found"
        case .imageAlreadyExists: "the image is there already"
        case .messageAlreadyExists: "the message is there already"
        case .rateLimitExceeded: "too many requests"
        case .generalInternal: "the App Store failed"
        case .generalInternalRetryable: "the App Store failed; trying again may help"
        }
    }
}
