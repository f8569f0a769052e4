import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unsafeJsonReason } from '../../src/catalog/index.ts'
import { StartupError } from '../../src/platform/startup-error.ts'

/** `changes`: what came into being after the cursor that was given. */
export type Operation = 'list' | 'changes' | 'get' | 'create' | 'update' | 'delete' | 'answer'

/** What of a tool cannot be inferred from its request and its schemas. */
export interface ToolNote {
  /** What it does to the state; `answer` leaves it alone and makes a reply from the output schema. */
  readonly op?: Operation
  /** Kind of object, one word. */
  readonly type?: string
  /** Argument that says which object. */
  readonly id?: string
  /** Arguments that name the parent object, in addition to those of the path. */
  readonly within?: readonly string[]
  /** Argument whose value names the kind of object: `contacts` is a `contact`. */
  readonly typeFrom?: string
  /** Where the object is in the output, as a dotted path; `$` for the output itself. */
  readonly place?: string
  /** Parents of the object, in addition to those that the arguments name. */
  readonly context?: Readonly<Record<string, unknown>>
  /** `create`: what is asked for or changed comes into being. Default: it is not found. */
  readonly missing?: 'create'
  /**
   * Members of the reply that are lists of other objects: those of a kind whose member `by` is the identifier
   * asked for.
   */
  readonly collect?: { readonly type: string; readonly by: string; readonly as: string }
  /**
   * Members of the object that the call sets, e.g. `{"status": "void"}`. `{"$": "argument"}` stands for an
   * argument.
   */
  readonly set?: Readonly<Record<string, unknown>>
  /**
   * Members of the reply, in place of those made from the output schema. `{"$": "argument"}` stands for an
   * argument, `{"$thing": "member"}` for a member of the object.
   */
  readonly reply?: unknown
  /** The reply is this text and no JSON. */
  readonly text?: string
  /** Arguments for a first try, where examples of the schema do not go together. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** In place of a tool's own: the request of a route that only code tools use. */
  readonly like?: string
}

export interface RouteNote extends ToolNote {
  readonly method: string
  readonly path: string
  readonly query?: readonly string[]
  readonly body?: unknown
  /** Encoding of the body. Default `json`. */
  readonly body_type?: 'json' | 'form'
  /** The request has no credentials: its URL grants the access. */
  readonly no_auth?: boolean
  readonly effect?: 'read' | 'create' | 'update' | 'delete'
  /** The reply is a list of objects. */
  readonly isList?: boolean
}

/** What of a trigger cannot be inferred: what stands here is of its poll. */
export interface TriggerNote extends ToolNote {
  /** Tools after which it happens. */
  readonly on?: readonly string[]
  /**
   * The poll lists objects only that have these values, by dotted path; `{"$": "argument"}` stands for an
   * argument of the poll.
   */
  readonly where?: Readonly<Record<string, unknown>>
  /**
   * Members of the payload, where the object that a webhook is about does not say them: `{"$": "argument"}`,
   * `{"$thing": "member"}`.
   */
  readonly values?: Readonly<Record<string, unknown>>
  /**
   * Member by which the application looks since when, where it is not the time of the trigger: it lists what
   * changed, the trigger tells what is new.
   */
  readonly since?: string
  /** An item of the poll, where it is not the object itself: `{"$thing": "member"}`, `$` for the whole. */
  readonly item?: unknown
  readonly start?: ToolNote
  readonly detail?: ToolNote
  readonly register?: ToolNote
  readonly renew?: ToolNote
  readonly remove?: ToolNote
}

/** `simulation.json` of a toolkit: what its simulation cannot infer. Everything may be missing, and so may the file. */
export interface Notes {
  /**
   * `slug`: kinds of objects are read from the slugs of tools, because all go to addresses that say nothing
   * of them. Default `path`.
   */
  readonly nouns?: 'slug' | 'path'
  /** Word of a path or slug to kind of object, where the same is called by two names. */
  readonly names?: Readonly<Record<string, string>>
  /**
   * For a kind of object: the member that identifies it, what is there at the beginning, whether its `raw` is
   * a message of RFC 5322, and members that it lacks although a tool may show them.
   */
  readonly types?: Readonly<
    Record<
      string,
      {
        readonly id?: string
        readonly mail?: boolean
        readonly omit?: readonly string[]
        readonly seeds?: readonly Readonly<Record<string, unknown>>[]
      }
    >
  >
  readonly tools?: Readonly<Record<string, ToolNote>>
  readonly routes?: readonly RouteNote[]
  readonly triggers?: Readonly<Record<string, TriggerNote>>
}

const KEYS: Readonly<Record<string, 'object' | 'list' | 'text'>> = {
  $schema: 'text',
  nouns: 'text',
  names: 'object',
  types: 'object',
  tools: 'object',
  routes: 'list',
  triggers: 'object',
}
const BYTES_MAX = 1_000_000

/** Reads `<folder>/<slug>/simulation.json`; no file is no notes. @throws StartupError that says what is wrong in it. */
export function readNotes(folder: string, slug: string): Notes {
  const file = join(folder, slug, 'simulation.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw wrong(file, 'it cannot be read', error)
  }
  if (text.length > BYTES_MAX) throw wrong(file, `it is larger than ${BYTES_MAX} bytes`)
  return notesFrom(text, file)
}

/** @throws StartupError */
export function notesFrom(text: string, file: string): Notes {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw wrong(file, 'it is not JSON', error)
  }
  const rejected =
    unsafeJsonReason(value) ??
    (value === null || typeof value !== 'object' || Array.isArray(value) ? 'it is no object' : undefined)
  if (rejected) throw wrong(file, rejected)
  for (const [key, member] of Object.entries(value as object)) {
    const kind = Array.isArray(member)
      ? 'list'
      : typeof member === 'string'
        ? 'text'
        : member !== null && typeof member === 'object'
          ? 'object'
          : 'other'
    if (!Object.hasOwn(KEYS, key))
      throw wrong(file, `it has the key ${key}; there are ${Object.keys(KEYS).join(', ')}`)
    if (KEYS[key] !== kind)
      throw wrong(file, `${key} must be ${KEYS[key] === 'object' ? 'an object' : `a ${KEYS[key]}`}`)
  }
  return value as Notes
}

const wrong = (file: string, what: string, cause?: unknown) =>
  new StartupError(
    `${file} says nothing that a simulation could use: ${what.replace(/\.$/, '')}.`,
    'docs/guides/write-a-simulation.md has its keys.',
    { cause },
  )
