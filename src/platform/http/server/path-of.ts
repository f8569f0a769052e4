/** Returns the path of a request without its query, at most 200 characters. */
export const pathOf = (url: string): string => url.split('?')[0]?.slice(0, 200) ?? ''
