/**
 * Words of HTTP authentication that are followed by a token and nothing else; others compute something that a
 * token cannot replace.
 */
const TOKEN_WORDS: Readonly<Record<string, string>> = {
  bearer: 'Bearer',
  oauth: 'OAuth',
  token: 'Token',
  jwt: 'JWT',
  apikey: 'ApiKey',
  'api-key': 'Api-Key',
}

/** An HTTP authentication scheme (RFC 9110 §11.1) by its word. */
export function bearerScheme(
  word: string,
): { kind: 'bearer'; word: string } | { kind: 'unsupported'; word: string } {
  const known = TOKEN_WORDS[word.trim().toLowerCase()]
  return known === undefined ? { kind: 'unsupported', word } : { kind: 'bearer', word: known }
}
