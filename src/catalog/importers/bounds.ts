/**
 * What a document may be. The largest that vendors publish has 47 MB, 20,000 operations and schemas 60 levels
 * deep.
 */
export const BOUNDS = {
  /** Characters of a JSON document; and of a YAML one, which takes ten times as long to read. */
  jsonCharacters: 64 * 1024 * 1024,
  yamlCharacters: 24 * 1024 * 1024,
  depth: 200,
  /** Values of a document with its YAML aliases written out. */
  values: 12_000_000,
  yamlAliases: 20_000,
  /** Characters and tokens of a GraphQL schema in its own language. */
  sdlCharacters: 16 * 1024 * 1024,
  sdlTokens: 3_000_000,
  operations: 40_000,
  /** Documents that references lead to, and rounds in which they are found. */
  documents: 50,
  rounds: 8,
  /**
   * JSON text of the arguments of one tool, of its result, and of what a hostile operation may still have.
   */
  inputCharacters: 14_000,
  outputCharacters: 3_000,
  inputCharactersMax: 100_000,
  arguments: 1_000,
  /** Of a remote MCP server. */
  mcpTools: 5_000,
  mcpPages: 500,
} as const
