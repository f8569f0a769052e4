import type { Deviation } from './deviations.ts'

const EXAMPLES =
  'The published document is a collection of examples from 2022 and names only the parameters that they happen to use.'
const MISSING = 'The published document is a collection of examples from 2022 without this operation.'
const OLD = 'The published document is a copy from 2015.'

/**
 * Either the parameters that the document does not know, or everything that an operation takes that it does
 * not have.
 */
export function notion(tool: string, page: string, ...parts: string[] | [string[]]): Deviation[] {
  const common = { tool, page: `https://developers.notion.com/reference/${page}`, dated: '2026-03-11' }
  return parts.map((part) =>
    typeof part === 'string'
      ? { ...common, part, reason: EXAMPLES }
      : { ...common, part: 'operation', reason: MISSING, takes: part },
  )
}

/** As notion; its pages carry no date, so this is when they were read. */
export function trello(tool: string, page: string, ...parts: string[] | [string[]]): Deviation[] {
  const common = {
    tool,
    page: `https://developer.atlassian.com/cloud/trello/rest/${page}`,
    dated: '2026-11-21',
    reason: OLD,
  }
  return parts.map((part) =>
    typeof part === 'string' ? { ...common, part } : { ...common, part: 'operation', takes: part },
  )
}

/** As notion; the document is that of the Bot API 5.0. */
export function telegram(tool: string, method: string, ...parts: string[] | [string[]]): Deviation[] {
  const common = {
    tool,
    page: `https://core.telegram.org/bots/api#${method}`,
    dated: '2025-08-15',
    reason: 'The published document is that of the Bot API 5.0 of 2020.',
  }
  return parts.map((part) =>
    typeof part === 'string' ? { ...common, part } : { ...common, part: 'operation', takes: part },
  )
}

/** Operations that are younger than the document, with everything that they take. */
export function jira(tool: string, page: string, takes: string[]): Deviation[] {
  const reason =
    'The published document is from before 2024, when these operations took the place of older ones.'
  return [
    {
      tool,
      part: 'operation',
      reason,
      page: `https://developer.atlassian.com/cloud/jira/platform/rest/v2/${page}`,
      dated: '2026-11-21',
      takes,
    },
  ]
}

/** Operations that Spotify gave applications in February 2026 in place of older ones. */
export function spotify(tool: string, page: string, takes: string[]): Deviation[] {
  const reason = 'The document is older than the operations of February 2026.'
  return [
    {
      tool,
      part: 'operation',
      reason,
      page: `https://developer.spotify.com/documentation/web-api/reference/${page}`,
      dated: '2026-02-11',
      takes,
    },
  ]
}
