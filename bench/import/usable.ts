import { createHash } from 'node:crypto'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ConnectionContext } from '../../src/auth-schemes/index.ts'
import {
  catalogFromSources,
  schemeFieldGroups,
  type Tool,
  type Toolkit,
  readAllTools,
} from '../../src/catalog/index.ts'
import type { Imported } from '../../src/catalog/importers/index.ts'
import { createEgressRequest } from '../../src/engine/http/egress-request.ts'
import { renderToolRequest } from '../../src/engine/pipeline/build-request.ts'
import type { ToolConnection } from '../../src/engine/types.ts'
import { sampleOf } from './sample.ts'

/** Why a tool that was made could not be used after all. */
export interface Unusable {
  slug: string
  cause: 'slug' | 'schema' | 'arguments' | 'request' | 'address'
  reason: string
}

/**
 * Tries every tool of an import as an execution would: the toolkit loads by the rules of the catalogue; each
 * slug is unique and fits; the input compiles under Ajv's strict mode; arguments made from it, all of them
 * and the required ones only, are valid; and with them the engine builds a request to a real address.
 */
export function unusable({ toolkit, tools }: Imported): Unusable[] {
  const source = {
    slug: toolkit.slug,
    toolkit: { ...toolkit, created: '2026-01-01', releases: [{ version: '20260101_00', changes: 'Bench.' }] },
    tools: { tools },
    icon: '<svg/>',
  }
  const catalog = catalogFromSources([source])
  const [built] = catalog.toolkits
  const connection = connectionOf(built!)
  const seen = new Set<string>()
  return [...readAllTools(catalog)].flatMap((tool) => {
    const fault = slugFault(tool, seen) ?? faultOf(tool, built!, connection)
    return fault ? [{ slug: tool.slug, ...fault }] : []
  })
}

type Fault = Omit<Unusable, 'slug'>

function slugFault({ slug }: Tool, seen: Set<string>): Fault | undefined {
  const known = seen.has(slug)
  seen.add(slug)
  return known || !/^[A-Z0-9_]{1,64}$/.test(slug)
    ? { cause: 'slug', reason: known ? 'twice' : 'shape' }
    : undefined
}

/** Ajv keeps something of every schema that it compiles, so it is made anew from time to time. */
const COMPILED_MAX = 500
let compiled = 0
let ajv = newAjv()

function newAjv(): Ajv2020 {
  const made = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    allowUnionTypes: true,
    addUsedSchema: false,
    code: { optimize: false },
  })
  formats.default(made)
  // A mark for arguments that take a file.
  made.addKeyword('file_uploadable')
  return made
}

/**
 * By the hash of its text: editions of one API have the same parameters again and again, and to compile one
 * takes milliseconds.
 */
const judged = new Map<string, Fault | undefined>()

/** Says nothing about a value, but makes texts differ. */
const ANNOTATIONS = new Set(['description', 'title'])
/** Of an input whose members can be judged one by one: what it says of itself is said again in `inputFault`. */
const SHELL = new Set(['type', 'properties', 'required', 'additionalProperties', ...ANNOTATIONS])

function inputFault(input: Tool['input']): Fault | undefined {
  const {
    type,
    properties,
    required = [],
    additionalProperties = true,
  } = input as {
    type?: unknown
    properties?: Record<string, object>
    required?: unknown
    additionalProperties?: unknown
  }
  const isShell =
    Object.keys(input).every((key) => SHELL.has(key)) &&
    type === 'object' &&
    typeof additionalProperties === 'boolean'
  if (
    !isShell ||
    properties === undefined ||
    !Array.isArray(required) ||
    !required.every((name) => Object.hasOwn(properties, name as string))
  )
    return known(input)
  for (const schema of Object.values(properties)) {
    const fault = known(schema)
    if (fault) return fault
  }
  return undefined
}

function known(schema: object): Fault | undefined {
  const key = createHash('sha256').update(JSON.stringify(schema, withoutAnnotations)).digest('base64')
  if (!judged.has(key)) judged.set(key, judge(schema))
  return judged.get(key)
}

/** A parameter may be called `title`: that is an object where the annotation is a text. */
const withoutAnnotations = (key: string, value: unknown) =>
  ANNOTATIONS.has(key) && typeof value === 'string' ? undefined : value

function judge(schema: object): Fault | undefined {
  if (++compiled % COMPILED_MAX === 0) ajv = newAjv()
  try {
    const validate = ajv.compile(schema)
    return [true, false].every((everything) => validate(sampleOf(schema, everything)))
      ? undefined
      : { cause: 'arguments', reason: ajv.errorsText(validate.errors) }
  } catch (error) {
    return { cause: 'schema', reason: (error as Error).message }
  }
}

function faultOf(tool: Tool, toolkit: Toolkit, connection: ToolConnection): Fault | undefined {
  const fault = inputFault(tool.input)
  if (fault) return fault
  for (const everything of [true, false]) {
    const args = sampleOf(tool.input, everything) as Record<string, unknown>
    try {
      const found = { tool, toolkit, version: toolkit.version }
      const { url } = createEgressRequest(
        found,
        renderToolRequest(found, args, tool.noAuth ? { kind: 'none' } : connection),
        tool.noAuth ? { kind: 'none' } : connection,
        0,
        {},
      )
      const target = new URL(url)
      if (
        !/^https?:$/.test(target.protocol) ||
        target.hostname === '' ||
        /[{}]|%7B|%7D/i.test(target.pathname)
      )
        return { cause: 'address', reason: String(url) }
    } catch (error) {
      return { cause: 'request', reason: (error as Error).message }
    }
  }
  return undefined
}

/**
 * A connection whose fields are filled as a user would: the first choice of a list, the example, an address
 * where one is asked for.
 */
function connectionOf(toolkit: Toolkit): ToolConnection {
  const scheme = toolkit.schemes.find(({ mode }) => mode !== 'NO_AUTH')
  if (!scheme) return { kind: 'none' }
  const { auth_config_creation: shared, connected_account_initiation: own } = schemeFieldGroups(
    scheme.manifest,
  )
  const val = Object.fromEntries(
    [...shared.required, ...shared.optional, ...own.required, ...own.optional].map(
      ({ name, default: fallback, enum: choices, example }) => [
        name,
        fallback ?? choices?.[0] ?? example ?? 'x1',
      ],
    ),
  )
  const setup: ConnectionContext = {
    scheme,
    credentials: { access_token: 't', ...val },
    sharedCredentials: {},
    authConfigCredentials: {},
    redirectUri: '',
  }
  return { kind: 'custom', context: setup }
}
