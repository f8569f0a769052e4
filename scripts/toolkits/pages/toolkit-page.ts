import type { Catalog, CompiledScheme, Template, Toolkit } from '../../../src/catalog/index.ts'
import { mergeSchemeFields } from '../../../src/catalog/manifest/compile/auth/auth-fields.ts'
import type { CheckedSources } from '../check-sources/check-file.ts'
import type { OperationFile } from '../operation-files/index.ts'
import { FACTS_DATE, type ToolkitFacts } from '../sign-in/facts.ts'

const TOOLS_MAX = 100

type Section = readonly string[]

/** A fact about signing in that other sources state differently. */
export interface CheckedDifference {
  readonly fact: string
  readonly stated: readonly string[]
  readonly reason: string
}

/** The sources of tools that are stated in a file of the toolkit, and what a program found in them. */
export interface StatedSources {
  readonly file: OperationFile
  readonly checked: CheckedSources | undefined
}

/** Returns the page of a toolkit in Markdown. `facts`: sources, for a toolkit that was generated from facts. */
export function toolkitPage(
  catalog: Catalog,
  toolkit: Toolkit,
  facts: ToolkitFacts | undefined,
  differences: readonly CheckedDifference[],
  stated?: StatedSources,
): string {
  const sections: Section[] = [
    [`# ${toolkit.name}`],
    [toolkit.description],
    factLines(toolkit),
    ['## Sign-in'],
    ...toolkit.schemes.filter(({ implicit }) => !implicit).flatMap(schemeSections),
    [`Any endpoint of the API can be called with a connected account: see ${GUIDE}.`],
    ...toolSections(toolkit),
    ...triggerSections(catalog, toolkit),
    ...sourceSections(facts, differences),
    ...toolSourceSections(stated),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

const GUIDE = '[Call any API endpoint](../guides/call-any-endpoint.md)'

const factLines = ({ slug, appUrl, docsUrl, categories, baseUrl }: Toolkit): Section => [
  `- Slug: \`${slug}\``,
  ...(appUrl === undefined ? [] : [`- Website: <${appUrl}>`]),
  ...(docsUrl === undefined ? [] : [`- API reference: <${docsUrl}>`]),
  `- Categories: ${categories.map(({ name }) => name).join(', ')}`,
  ...(baseUrl === undefined ? [] : [`- Base URL: \`${templateText(baseUrl)}\``]),
]

/** Returns a template as the manifest writes it, without filters. */
const templateText = ({ parts }: Template): string =>
  parts
    .map((part) =>
      typeof part === 'string'
        ? part
        : `{${part.alternatives.map((one) => ('name' in one ? one.name : `'${one.text}'`)).join('||')}}`,
    )
    .join('')

function schemeSections(scheme: CompiledScheme): Section[] {
  const { manifest } = scheme
  const { authorize, token, scopes, setup, hint_url: hint } = manifest as SchemeTexts
  const fields = [
    ...mergeSchemeFields(manifest, 'auth_config_creation').map((field) => ({ ...field, by: 'auth config' })),
    ...mergeSchemeFields(manifest, 'connected_account_initiation').map((field) => ({
      ...field,
      by: 'account',
    })),
  ]
  return [
    [`### ${manifest.name === undefined ? scheme.mode : `${scheme.mode}: ${manifest.name}`}`],
    [
      ...(authorize?.url === undefined ? [] : [`- Authorization endpoint: \`${authorize.url}\``]),
      ...(token?.url === undefined ? [] : [`- Token endpoint: \`${token.url}\``]),
      ...(scopes?.default
        ? [`- Default scopes: ${scopes.default.map((one) => `\`${one}\``).join(', ')}`]
        : []),
      ...(hint === undefined ? [] : [`- About these credentials: <${hint}>`]),
    ],
    fields.length === 0
      ? []
      : [
          '| Field | Of the | Required | Meaning |',
          '|---|---|---|---|',
          ...fields.map(
            ({ name, by, required, description }) =>
              `| \`${name}\` | ${by} | ${required === false ? 'no' : 'yes'} | ${cell(description)} |`,
          ),
        ],
    (setup?.steps ?? []).map((step, index) => `${index + 1}. ${step.replace(/\{(\w+)\}/g, '`{$1}`')}`),
    setup?.console_url === undefined ? [] : [`Page of the vendor: <${setup.console_url}>`],
    setup?.source === undefined
      ? []
      : [
          `Source of the steps: <${setup.source}>${setup.checked === undefined ? '' : `, read on ${setup.checked}`}`,
        ],
  ]
}

interface SchemeTexts {
  readonly authorize?: { readonly url?: string }
  readonly token?: { readonly url?: string }
  readonly scopes?: { readonly default?: readonly string[] }
  readonly setup?: {
    readonly console_url?: string
    readonly steps: readonly string[]
    readonly source?: string
    readonly checked?: string
  }
  readonly hint_url?: string
}

function toolSections({ slug, tools }: Toolkit): Section[] {
  if (tools.length === 0) return [['## Tools'], ['No tools yet. Use raw requests.']]
  const listed = tools.filter(({ deprecated }) => !deprecated).slice(0, TOOLS_MAX)
  const more = tools.length - listed.length
  return [
    [`## Tools (${tools.length})`],
    listed.map((tool) => `- \`${tool.slug}\`: ${tool.name}`),
    more > 0 ? [`${more} more: \`patchbay tools list --toolkit-slug ${slug}\``] : [],
  ]
}

function triggerSections(catalog: Catalog, { slug, version }: Toolkit): Section[] {
  const triggers = catalog.triggers(slug, version)
  if (triggers.length === 0) return []
  return [
    [`## Triggers (${triggers.length})`],
    triggers.map(({ trigger }) => `- \`${trigger.slug}\`: ${trigger.name}`),
  ]
}

function sourceSections(
  facts: ToolkitFacts | undefined,
  differences: readonly CheckedDifference[],
): Section[] {
  const sources = Object.entries(facts?.sources ?? {})
  if (sources.length + differences.length === 0) return []
  return [
    ['## Sources'],
    sources.length === 0
      ? []
      : [
          `| Fact | Source, read on ${FACTS_DATE} |`,
          '|---|---|',
          ...sources.map(([fact, source]) => `| ${cell(fact)} | ${cell(source)} |`),
        ],
    differences.map(
      ({ fact, stated, reason }) =>
        `- \`${fact}\`: other sources state ${stated.map((value) => `\`${value}\``).join(', ')}. ${reason}`,
    ),
  ]
}

/** Where method and path of each tool are from. */
function toolSourceSections(stated: StatedSources | undefined): Section[] {
  if (!stated) return []
  const { file, checked } = stated
  const bySources = Map.groupBy(file.operations, ({ sources }) => sources.join(', '))
  return [
    ['## Sources of the tools'],
    [
      'Method, path and parameters are stated by the vendor, or by two independent sources. A program found ' +
        `${checked?.found ?? 0} of ${file.operations.length} requests in these sources; a person read the others.`,
    ],
    [
      '| Source | Published by | Place |',
      '|---|---|---|',
      ...Object.entries(file.sources).map(([name, { by, at, read }]) => {
        const place = at.startsWith('https') ? `<${at}>` : `\`${at}\``
        const date = read === undefined ? '' : `, read on ${read}`
        return `| ${name} | ${by === 'vendor' ? 'the vendor' : 'others'} | ${place}${date} |`
      }),
    ],
    [...bySources].map(([names, all]) => `- ${names}: ${all.map(({ slug }) => `\`${slug}\``).join(', ')}`),
  ]
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
