/** Changes since the last release that break clients and are accepted, with the reason. A release empties the list. */
export const ACCEPTED_CHANGES: Readonly<Record<string, string>> = {}
