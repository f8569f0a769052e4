const UNRESERVED = /^[A-Za-z0-9_.~-]*$/

/**
 * Percent-encodes all but RFC 3986 unreserved characters; `encodeURIComponent` leaves `!'()*`, which some
 * providers sign or route by.
 */
export function percentEncode(text: string): string {
  if (UNRESERVED.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
