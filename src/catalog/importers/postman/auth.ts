import { isObject, list, getOwn, nonEmptyString } from '../json.ts'
import type { Alternative, Flow, SecurityScheme } from '../model.ts'
import { bearerScheme } from '../openapi/read-security.ts'
import { isPlaceholder } from '../schema/scalars.ts'
import type { Pair } from './address.ts'
import { looksSecret } from '../../../platform/secret-detection.ts'
import type { Variables } from './variables.ts'

/** Collects the ways to sign in of a collection. Their values stay where they are. */
export interface Schemes {
  readonly all: Map<string, SecurityScheme>
  /** The AWS service that a request names. */
  service: string | undefined
  /**
   * What `auth` of a request, a folder or the collection asks for; undefined where it says nothing and what
   * is around it counts.
   */
  declared(auth: unknown): readonly Alternative[] | undefined
  /** What headers and query parameters show that sign in by themselves. */
  inferFromRequest(headers: readonly Pair[], query: readonly Pair[]): readonly Alternative[]
}

const HEADER =
  /^(x-)?(\w+-)?(api[-_]?key|apikey|auth[-_]?token|access[-_]?token|auth[-_]?key|app[-_]?key|private[-_]?token|api[-_]?token|subscription[-_]key|api[-_]?secret)$/i
const QUERY =
  /^(api[-_]?key|apikey|access[-_]?token|auth[-_]?token|api[-_]?token|app[-_]?id|appid|app[-_]?key|token|key)$/i

export function schemesOf(variables: Variables): Schemes {
  const all = new Map<string, SecurityScheme>()
  const use = (name: string, scheme: SecurityScheme, scopes: readonly string[] = []): Alternative => {
    if (!all.has(name)) all.set(name, scheme)
    return new Map([[name, scopes]])
  }
  const key = (where: 'header' | 'query', name: string) =>
    use(`${where} ${name.toLowerCase()}`, {
      kind: 'key',
      in: where,
      name,
      aws: false,
      description: undefined,
    })
  const schemes: Schemes = {
    all,
    service: undefined,
    declared(auth) {
      const type = getOwn(auth, 'type')
      if (!isObject(auth) || typeof type !== 'string') return undefined
      const attribute = (name: string) => {
        const value = findAttribute(getOwn(auth, type), name)
        return value === undefined ? undefined : variables.filled(value)
      }
      switch (type) {
        case 'noauth':
          return []
        case 'bearer':
        case 'jwt':
          return [use('bearer', { kind: 'bearer', word: 'Bearer', description: undefined })]
        case 'basic':
          return [use('basic', { kind: 'basic', description: undefined })]
        case 'apikey':
          return [key(attribute('in') === 'query' ? 'query' : 'header', attribute('key') ?? 'Authorization')]
        case 'oauth2':
          return [
            use(
              `oauth2 ${attribute('accessTokenUrl') ?? ''}`,
              oauth2(attribute),
              (attribute('scope') ?? '')
                .split(/[\s,]+/)
                .filter((scope) => scope !== '' && !isPlaceholder(scope)),
            ),
          ]
        case 'awsv4':
          schemes.service ??= attribute('service')
          return [
            use('awsv4', {
              kind: 'key',
              in: 'header',
              name: 'Authorization',
              aws: true,
              description: undefined,
            }),
          ]
        default:
          return [
            use(type.slice(0, 40), { kind: 'unsupported', word: type.slice(0, 40), description: undefined }),
          ]
      }
    },
    inferFromRequest(headers, query) {
      const found = new Map<string, readonly string[]>()
      const add = (alternative: Alternative) => {
        for (const [name, scopes] of alternative) found.set(name, scopes)
      }
      for (const { key: name, value = '' } of headers) {
        if (name.toLowerCase() === 'authorization') add(authorization(value))
        else if (HEADER.test(name)) add(key('header', name))
      }
      for (const { key: name, value = '' } of query)
        if (QUERY.test(name) && (isPlaceholder(value) || looksSecret(value))) add(key('query', name))
      return found.size > 0 ? [found] : []
    },
  }
  const authorization = (value: string): Alternative => {
    const [, word] = /^\s*([A-Za-z-]+)\s+\S/.exec(value) ?? []
    if (word?.toLowerCase() === 'basic') return use('basic', { kind: 'basic', description: undefined })
    const scheme = word === undefined ? undefined : bearerScheme(word)
    return scheme?.kind === 'bearer'
      ? use(`bearer${scheme.word === 'Bearer' ? '' : ` ${scheme.word}`}`, {
          ...scheme,
          description: undefined,
        })
      : use('header authorization', {
          kind: 'key',
          in: 'header',
          name: 'Authorization',
          aws: false,
          description: 'Whole value of the Authorization header, its first word included.',
        })
  }
  return schemes
}

/** Returns an attribute: newer collections have a list of them, older ones an object. */
function findAttribute(attributes: unknown, name: string): string | undefined {
  const found = Array.isArray(attributes)
    ? getOwn(
        list(attributes).find((one) => getOwn(one, 'key') === name),
        'value',
      )
    : getOwn(attributes, name)
  return nonEmptyString(found)
}

function oauth2(attribute: (name: string) => string | undefined): SecurityScheme {
  const grant = attribute('grant_type') ?? 'authorization_code'
  const flow: Flow = {
    authorizationUrl: attribute('authUrl'),
    tokenUrl: attribute('accessTokenUrl'),
    refreshUrl: attribute('refreshTokenUrl'),
    scopes: [],
  }
  return {
    kind: 'oauth2',
    description: undefined,
    code: grant.startsWith('authorization_code') ? flow : undefined,
    client: grant === 'client_credentials' ? flow : undefined,
  }
}
