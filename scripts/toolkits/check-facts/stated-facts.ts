import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Json, object } from '../../../src/catalog/importers/json.ts'
import type { FactDocument, Facts, Tier } from '../facts.ts'
import { headerPlace } from './sign-in-facts.ts'

/** A fact that a source states. */
export interface StatedFact {
  /** `base_url`, `authorize_url`, `token_url`, `refresh_url`, `credential`, `scope` */
  readonly kind: string
  readonly value: string
  readonly source: string
  readonly tier: Tier | 'library' | 'profile'
}

interface StatedAuth {
  readonly scheme: string
  readonly tier: StatedFact['tier']
  readonly sources: readonly string[]
  readonly authorize_url?: string
  readonly token_url?: string
  readonly refresh_url?: string
  readonly placement?: string
  readonly name?: string
  readonly prefix?: string
}

interface StatedUrl {
  readonly url: string
  readonly source: string
}

interface Line {
  readonly slug: string
  readonly base_url?: StatedUrl
  readonly other_base_urls?: readonly StatedUrl[]
  readonly auth?: readonly StatedAuth[]
}

/** Returns what the sources of a folder of facts state about signing in, by toolkit. */
export function readStatedFacts(folder: string, facts: Facts): (slug: string) => StatedFact[] {
  const lines = new Map(
    readFileSync(join(folder, 'toolkits.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Line)
      .map((line) => [line.slug, line] as const),
  )
  return (slug) => {
    const line = lines.get(slug)
    return line ? [...statedInLine(line), ...facts.documents(slug).flatMap(statedInDocument)] : []
  }
}

function statedInLine({ base_url, other_base_urls = [], auth = [] }: Line): StatedFact[] {
  return [
    ...[...(base_url ? [base_url] : []), ...other_base_urls].map(({ url, source }): StatedFact => ({
      kind: 'base_url',
      value: url,
      source,
      tier: 'directory',
    })),
    ...auth.flatMap((entry) =>
      [
        ...(['authorize_url', 'token_url', 'refresh_url'] as const).map(
          (kind) => [kind, entry[kind]] as const,
        ),
        ['credential', credentialOf(entry)] as const,
      ].flatMap(([kind, value]) =>
        value === undefined ? [] : { kind, value, source: entry.sources[0] ?? '', tier: entry.tier },
      ),
    ),
  ]
}

function credentialOf({ scheme, placement, name, prefix }: StatedAuth): string | undefined {
  if (scheme.startsWith('OAUTH') || name === undefined) return undefined
  return placement === 'header'
    ? headerPlace(name, prefix === undefined ? '' : `${prefix} `)
    : `${placement} ${name}`
}

function statedInDocument({ openapi, source, tier }: FactDocument): StatedFact[] {
  const schemes = Object.values(
    object(openapi['securityDefinitions'] ?? object(openapi['components'])['securitySchemes']),
  ).filter(isObject)
  const fact =
    (kind: string) =>
    (value: string): StatedFact => ({ kind, value, source, tier })
  return [...serversOf(openapi).map(fact('base_url')), ...schemes.flatMap(scopesOf).map(fact('scope'))]
}

function serversOf(openapi: Json): string[] {
  const { servers, host, basePath } = openapi
  if (typeof host === 'string') return [`https://${host}${typeof basePath === 'string' ? basePath : ''}`]
  return (Array.isArray(servers) ? servers : []).flatMap((server: unknown) => {
    const { url, variables } = object(server)
    if (typeof url !== 'string' || !url.includes('//')) return []
    return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const { default: value } = object(object(variables)[name])
      return typeof value === 'string' && value.includes('.') ? value : whole
    })
  })
}

function scopesOf(scheme: Json): string[] {
  const flows = [scheme, ...Object.values(object(scheme['flows'])).filter(isObject)]
  return flows.flatMap((flow) => Object.keys(object(flow['scopes'])))
}
