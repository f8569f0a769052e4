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

export const schemesOf = (variables: Variables): Schemes => new CollectionSchemes(variables)

type Attribute = (name: string) => string | undefined

class CollectionSchemes implements Schemes {
  readonly all = new Map<string, SecurityScheme>()
  service: string | undefined = undefined
  private readonly variables: Variables

  constructor(variables: Variables) {
    this.variables = variables
  }

  declared(auth: unknown): readonly Alternative[] | undefined {
    const type = getOwn(auth, 'type')
    if (!isObject(auth) || typeof type !== 'string') return undefined
    const attribute: Attribute = (name) => {
      const value = findAttribute(getOwn(auth, type), name)
      return value === undefined ? undefined : this.variables.filled(value)
    }
    return this.alternatives(type, attribute)
  }

  inferFromRequest(headers: readonly Pair[], query: readonly Pair[]): readonly Alternative[] {
    const found = new Map<string, readonly string[]>()
    const add = (alternative: Alternative) => {
      for (const [name, scopes] of alternative) found.set(name, scopes)
    }
    for (const { key: name, value = '' } of headers) {
      if (name.toLowerCase() === 'authorization') add(this.authorization(value))
      else if (HEADER.test(name)) add(this.key('header', name))
    }
    for (const { key: name, value = '' } of query)
      if (QUERY.test(name) && (isPlaceholder(value) || looksSecret(value))) add(this.key('query', name))
    return found.size > 0 ? [found] : []
  }

  private alternatives(type: string, attribute: Attribute): readonly Alternative[] {
    switch (type) {
      case 'noauth':
        return []
      case 'bearer':
      case 'jwt':
        return [this.use('bearer', { kind: 'bearer', word: 'Bearer', description: undefined })]
      case 'basic':
        return [this.use('basic', { kind: 'basic', description: undefined })]
      case 'apikey':
        return [
          this.key(attribute('in') === 'query' ? 'query' : 'header', attribute('key') ?? 'Authorization'),
        ]
      case 'oauth2': {
        const scopes = (attribute('scope') ?? '').split(/[\s,]+/)
        return [
          this.use(
            `oauth2 ${attribute('accessTokenUrl') ?? ''}`,
            oauth2(attribute),
            scopes.filter((scope) => scope !== '' && !isPlaceholder(scope)),
          ),
        ]
      }
      case 'awsv4':
        this.service ??= attribute('service')
        return [this.use('awsv4', { ...AUTHORIZATION_KEY, aws: true })]
      default: {
        const word = type.slice(0, 40)
        return [this.use(word, { kind: 'unsupported', word, description: undefined })]
      }
    }
  }

  private authorization(value: string): Alternative {
    const [, word] = /^\s*([A-Za-z-]+)\s+\S/.exec(value) ?? []
    if (word?.toLowerCase() === 'basic') return this.use('basic', { kind: 'basic', description: undefined })
    const scheme = word === undefined ? undefined : bearerScheme(word)
    return scheme?.kind === 'bearer'
      ? this.use(`bearer${scheme.word === 'Bearer' ? '' : ` ${scheme.word}`}`, {
          ...scheme,
          description: undefined,
        })
      : this.use('header authorization', {
          ...AUTHORIZATION_KEY,
          description: 'Whole value of the Authorization header, its first word included.',
        })
  }

  private use(name: string, scheme: SecurityScheme, scopes: readonly string[] = []): Alternative {
    if (!this.all.has(name)) this.all.set(name, scheme)
    return new Map([[name, scopes]])
  }

  private key(where: 'header' | 'query', name: string): Alternative {
    return this.use(`${where} ${name.toLowerCase()}`, { ...AUTHORIZATION_KEY, in: where, name })
  }
}

const AUTHORIZATION_KEY = {
  kind: 'key',
  in: 'header',
  name: 'Authorization',
  aws: false,
  description: undefined,
} as const

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
    password: grant === 'password_credentials' ? flow : undefined,
  }
}
