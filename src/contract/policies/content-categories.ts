/** Kinds of content that people outside of the project can write. `records`: of all other applications. */
export const CONTENT_CATEGORIES = [
  'mail',
  'chat',
  'web',
  'issues',
  'files',
  'social',
  'calendar',
  'forms',
  'records',
  'stored',
] as const

export type ContentCategory = (typeof CONTENT_CATEGORIES)[number]
