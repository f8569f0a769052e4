import {
  challengeParameter,
  isSameIssuer,
  isWithin,
  resourceMetadataUrls,
  safeMetadataUrl,
  serverMetadataUrls,
  stringList,
  announcedMetadataUrl,
} from '../../../platform/oauth/index.ts'
import { isObject, type Json, getOwn } from '../json.ts'
import type { McpSignIn } from './listing.ts'

/** A JSON object at an address, or undefined when there is none; never throws for what a server answers. */
export type ReadJson = (address: string) => Promise<unknown>

type Header = string | string[] | undefined
type Found = Pick<McpSignIn, 'challenge' | 'scopes' | 'scopesSupported' | 'resource' | 'isTold' | 'server'>

/**
 * Goes from the challenge of a server (RFC 6750) to its document (RFC 9728) and that of its authorization
 * server (RFC 8414), as a connection will do again.
 */
export async function readSignIn(
  address: string,
  challenge: Header,
  readJson: ReadJson,
  { guess }: { guess: boolean },
): Promise<Found> {
  const [word = ''] = String(challenge ?? '')
    .trim()
    .split(/[\s,]/)
  const scopes = challengeParameter(challenge, 'scope')?.split(/\s+/).filter(Boolean).slice(0, 50)
  const found = await first(
    resourceMetadataUrls(address, announcedMetadataUrl(challenge, address)),
    readJson,
    (one) =>
      isObject(one) &&
      stringList(getOwn(one, 'authorization_servers'))?.[0] !== undefined &&
      isOwn(address, getOwn(one, 'resource')),
  )
  const document = found?.document
  const issuer =
    safeMetadataUrl(document && stringList(getOwn(document, 'authorization_servers'))?.[0], address) ??
    (guess && document === undefined ? new URL(address).origin : undefined)
  const server = issuer === undefined ? undefined : await readServer(issuer, address, readJson)
  const supported = stringList(getOwn(document, 'scopes_supported'))
  return {
    ...(word !== '' && { challenge: word.toLowerCase().slice(0, 20) }),
    ...(scopes && scopes.length > 0 && { scopes }),
    ...(supported && supported.length > 0 && { scopesSupported: supported }),
    resource: safeMetadataUrl(getOwn(document, 'resource'), address) ?? address,
    ...(found && !resourceMetadataUrls(address).includes(found.address) && { isTold: true }),
    ...(server && { server }),
  }
}

const isOwn = (address: string, resource: unknown): boolean => {
  const safe = safeMetadataUrl(resource, address)
  return safe !== undefined && isWithin(address, safe)
}

async function readServer(issuer: string, address: string, readJson: ReadJson): Promise<McpSignIn['server']> {
  const document = (
    await first(
      serverMetadataUrls(issuer),
      readJson,
      (one) => isObject(one) && getOwn(one, 'issuer') !== undefined,
    )
  )?.document
  if (!document || !isSameIssuer(document['issuer'], issuer)) return undefined
  const [authorizationEndpoint, tokenEndpoint, registrationEndpoint, revocationEndpoint] = [
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
  ].map((name) => safeMetadataUrl(getOwn(document, name), address))
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) return undefined
  const authMethods = stringList(getOwn(document, 'token_endpoint_auth_methods_supported'))
  return {
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    ...(registrationEndpoint !== undefined && { registrationEndpoint }),
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    ...(authMethods && { authMethods }),
  }
}

async function first(
  addresses: readonly string[],
  readJson: ReadJson,
  fits: (document: unknown) => boolean,
): Promise<{ address: string; document: Json } | undefined> {
  for (const address of addresses) {
    const document = await readJson(address)
    if (fits(document)) return { address, document: document as Json }
  }
  return undefined
}
