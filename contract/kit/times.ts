/** After so long an answer is not waited for any more (docs/product.md). */
export const REQUEST_TIMEOUT_MS = 100_000
/** A session that ended says so for so long before the page is loaded anew. */
export const RELOAD_AFTER_LOGOUT_MS = 1_500
