import { createHash } from 'node:crypto'
import type {
  FieldManifest,
  HandshakeManifest,
  RegistrationManifest,
  TriggerWebhookManifest,
  VerifyManifest,
} from '../../format/index.ts'
import { compilePath } from '../template/paths.ts'
import type { CompiledRequest, PathReader, Template } from '../../../types/index.ts'
import { compileRequest } from '../request/request.ts'
import { compileTemplate, valueToText } from '../template/templates.ts'
import type { CompileContext } from '../template/values.ts'
import { parseBoundedJsonOrUndefined } from '../../../../platform/bounded-json.ts'
import type { IncomingDelivery } from './delivery.ts'
import { compileItemCondition } from './item-conditions.ts'

/** One event of a delivery, as paths of a manifest see it. */
export interface DeliveredItem {
  readonly item: unknown
  readonly body: unknown
  readonly decoded: unknown
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

export interface CompiledRegistration {
  readonly request: CompiledRequest
  readonly renew: CompiledRequest | undefined
  readonly remove: CompiledRequest | undefined
  readonly manifest: RegistrationManifest
}

/** A compiled webhook trigger. Immutable. */
export interface CompiledWebhook {
  readonly scope: 'instance' | 'app'
  readonly setup: readonly FieldManifest[]
  readonly constants: Readonly<Record<string, string>>
  readonly verify: VerifyManifest
  readonly handshakes: readonly {
    holds(delivery: IncomingDelivery): boolean
    readonly manifest: HandshakeManifest
  }[]
  readonly registration: CompiledRegistration | undefined
  /** Deliveries bring no events: the trigger polls at once. */
  readonly isPing: boolean
  /** Names that proofs and handshakes use. */
  readonly needs: readonly string[]
  /** Of which accounts an event is; undefined for an instance's own address. */
  readonly account: { of(item: DeliveredItem): readonly string[]; readonly equals: Template } | undefined
  /** The events of a delivery; none where it holds no list that it should. */
  itemsOf(delivery: IncomingDelivery): readonly DeliveredItem[]
  /** Whether an event is of this trigger type, and what an instance with this configuration wants. */
  makesEvent(item: DeliveredItem, config: Readonly<Record<string, unknown>>): boolean
  /** What makes it the same event when it is delivered again. */
  keyOf(item: DeliveredItem): string
}

const SERVER_NAMES = ['webhook_url', 'webhook_secret', 'webhook_id', 'webhook_until', 'webhook_until_ms']
/**
 * Names available to registration requests in addition to the configuration. Saved values are available to
 * `renew` and `remove` only.
 */
export const registrationNames = ({
  constants = {},
  registration,
  handshake = [],
}: TriggerWebhookManifest): readonly string[] => [
  ...SERVER_NAMES,
  ...Object.keys(constants),
  ...Object.keys(registration?.save ?? {}),
  ...handshake.flatMap(({ save = {} }) => Object.keys(save)),
]
const ACCOUNTS_MAX = 100

/** What `webhook` of triggers.json says for all triggers, with the members of one in place of its own. */
export const mergeWebhook = (
  shared: TriggerWebhookManifest | undefined,
  own: TriggerWebhookManifest,
): TriggerWebhookManifest => ({
  ...shared,
  ...own,
  ...(shared?.constants && own.constants ? { constants: { ...shared.constants, ...own.constants } } : {}),
})

/**
 * Compiles a webhook as `mergedWebhook` answers it and `checkWebhook` accepts it; what is wrong with its
 * templates goes to the context's reporter.
 */
export function compileWebhook(
  manifest: TriggerWebhookManifest,
  context: CompileContext,
  path: string,
): CompiledWebhook {
  const {
    scope = 'instance',
    verify = { kind: 'address' },
    only_when: only = [],
    skip_when: skip = [],
    account,
    key,
    handshake = [],
    constants = {},
  } = manifest
  const [holds, excludes] = [only.map(compileItemCondition), skip.map(compileItemCondition)]
  const readKey = key === undefined ? undefined : [key].flat().map(compilePath)
  return Object.freeze<CompiledWebhook>({
    scope,
    verify,
    constants,
    setup: manifest.setup ?? [],
    handshakes: handshake.map((one) => {
      const tests = one.when.map(compileItemCondition)
      return {
        manifest: one,
        holds: (delivery: IncomingDelivery) => tests.every((test) => test(delivery, {})),
      }
    }),
    isPing: manifest.ping ?? false,
    needs: namesUsedBy(verify, handshake),
    registration:
      manifest.registration && compileRegistration(manifest.registration, context, `${path}/registration`),
    account: account && {
      of: compileAccounts(compilePath(account.at)),
      equals: compileTemplate(account.equals),
    },
    itemsOf: compileItems(manifest),
    makesEvent: (item, config) =>
      holds.every((test) => test(item, config)) && !excludes.some((test) => test(item, config)),
    keyOf: (item) => {
      const parts = readKey?.map((read) => read(item))
      return createHash('sha256')
        .update(JSON.stringify(parts && !parts.includes(undefined) ? parts : [item.item]))
        .digest('hex')
    },
  })
}

function namesUsedBy(verify: VerifyManifest, handshakes: readonly HandshakeManifest[]): string[] {
  const {
    key,
    equals,
    issuer,
    audience,
    jwks_url,
    claims = {},
  } = verify as { [K in 'key' | 'equals' | 'issuer' | 'audience' | 'jwks_url']?: string } & {
    claims?: Record<string, string>
  }
  const texts = [
    key,
    equals,
    issuer,
    audience,
    jwks_url,
    ...Object.values(claims),
    ...handshakes.flatMap(({ expect = {}, sign }) => [...Object.values(expect), sign?.key]),
  ]
  return [...new Set(texts.flatMap((text) => (text === undefined ? [] : compileTemplate(text).names)))]
}

function compileRegistration(
  manifest: RegistrationManifest,
  context: CompileContext,
  path: string,
): CompiledRegistration {
  const { request, renew, remove } = manifest
  return {
    manifest,
    request: compileRequest(request, context, `${path}/request`),
    renew: renew && compileRequest(renew, context, `${path}/renew`),
    remove: remove && compileRequest(remove, context, `${path}/remove`),
  }
}

function compileItems({ decode, events, ping = false }: TriggerWebhookManifest): CompiledWebhook['itemsOf'] {
  const readText = decode && compilePath(decode.at)
  const readEvents = events === undefined ? undefined : compilePath(events)
  return (delivery) => {
    const { body, method, headers, query } = delivery
    const text = readText?.(delivery)
    const decoded =
      typeof text === 'string'
        ? parseBoundedJsonOrUndefined(decode!.as === 'base64' ? Buffer.from(text, 'base64').toString() : text)
        : undefined
    const view = { body, decoded, method, headers, query }
    const found = readEvents ? readEvents(view) : decode ? decoded : body
    const items = readEvents && Array.isArray(found) ? found : found === undefined && !ping ? [] : [found]
    return items.map((item) => ({ ...view, item }))
  }
}

const compileAccounts =
  (read: PathReader) =>
  (item: DeliveredItem): readonly string[] =>
    [read(item)]
      .flat()
      .slice(0, ACCOUNTS_MAX)
      .map(valueToText)
      .filter((text): text is string => text !== undefined && text !== '')
