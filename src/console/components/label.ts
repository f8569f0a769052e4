/** Returns a text with a capital at its beginning: `public URL` is a label as `Public URL`. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns an identifier as words: `orgKeys` as `Org keys`, `mcpServers` as `MCP servers`. */
export const labelOf = (identifier: string): string =>
  capitalize(
    identifier.replace(
      /([a-z0-9])([A-Z])/g,
      (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    ),
  )
    .replace(/^Mcp\b/, 'MCP')
    .replace(/^Sso\b/, 'SSO')
