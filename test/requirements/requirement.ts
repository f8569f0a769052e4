/**
 * Sections of the specification of the API and of the decisions that complete it. The documents are not part of the
 * repository; these names and the statements of the requirements are in the words of the project.
 */
export const SECTIONS = [
  'Purpose',
  'Resources: error envelope',
  'Resources: cursor page',
  'Resources: numbered page',
  'Resources: auth config',
  'Resources: tool',
  'Resources: toolkit',
  'Resources: trigger type',
  'Resources: trigger instance',
  'Resources: MCP server',
  'Resources: MCP server instance',
  'Resources: connected account',
  'Resources: session',
  'Resources: project configuration',
  'Resources: project',
  'Resources: file',
  'Resources: webhook subscription',
  'States and transitions',
  'Endpoints: auth configs',
  'Endpoints: tools',
  'Endpoints: toolkits',
  'Endpoints: connected accounts',
  'Endpoints: MCP servers',
  'Endpoints: triggers',
  'Endpoints: sessions',
  'Endpoints: projects',
  'Endpoints: files',
  'Endpoints: webhook subscriptions',
  'Endpoints: migration',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
  ...Array.from({ length: 23 }, (_, index) => `Decision ${index + 1}` as const),
  'Decisions: v3 and v3.1',
  // The contracts that say what the specification leaves open.
  'REST: areas',
  'REST: resources',
  'Sessions and MCP: contract',
] as const

export type Section = (typeof SECTIONS)[number]

/** The title of a test as it is written in its file; placeholders of a template are part of it. */
export interface Evidence {
  file: string
  title: string
}

export interface Requirement {
  id: string
  section: Section
  text: string
  evidence: Evidence
}

/** Returns a function that names a test of this file. */
export const testsOf =
  (file: string) =>
  (title: string): Evidence => ({ file, title })

export type Row = readonly [id: string, text: string, evidence: Evidence]

/** Requirements of one section. The name of the area begins each id. */
export const requirementsOf = (section: Section, area: string, rows: readonly Row[]): Requirement[] =>
  rows.map(([id, text, evidence]) => ({ id: `${area}.${id}`, section, text, evidence }))
