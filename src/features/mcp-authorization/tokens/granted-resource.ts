import type { ClientRequest } from '../client-request.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { findResource, readResource, type ResourceDetails } from '../resources.ts'
import { isSecret } from '../secrets.ts'
import { findByCode, resourceFromRow } from '../sign-in/store.ts'
import { findGrantByToken, type McpGrantRow } from './store.ts'

type Form = ClientRequest['form']

/**
 * Returns what the code or refresh token of a request is for, if both exist. Must be called before the transaction of
 * the exchange: one that waits for a second connection of the pool, while others do the same, never gets it.
 */
export async function findGrantedResource(
  { db, resourceKinds }: McpAuthorizationDeps,
  form: Form,
): Promise<ResourceDetails | undefined> {
  const { grant_type: type, code, refresh_token: token } = form
  const row =
    type === 'authorization_code'
      ? isSecret('code', code) && (await findByCode(db, code))
      : isSecret('refresh', token) && (await findGrantByToken(db, token))
  return row ? findResource(resourceKinds, resourceFromRow(row)) : undefined
}

/** Returns an error if the resource was deleted, or is not the one that the user allowed (RFC 8707 §2.2). */
export function resourceFault(
  { resourceKinds, publicUrl }: Pick<McpAuthorizationDeps, 'resourceKinds' | 'publicUrl'>,
  {
    grant,
    form,
    resource,
  }: {
    grant: Pick<McpGrantRow, 'project_id' | 'resource_kind' | 'resource_id' | 'user_id'>
    form: Form
    resource: ResourceDetails | undefined
  },
): OAuthRequestError | undefined {
  const { kind, id } = resourceFromRow(grant)
  if (form['resource'] !== undefined) {
    const requested = readResource(resourceKinds, publicUrl, form['resource'])
    const isSame =
      requested?.kind === kind && requested.id === id && [undefined, grant.user_id].includes(requested.userId)
    if (!isSame)
      return new OAuthRequestError(
        'invalid_target',
        'resource differs from the one that the user signed in for.',
      )
  }
  return resource?.projectId === grant.project_id
    ? undefined
    : new OAuthRequestError(
        'invalid_grant',
        'The MCP server or session that the user signed in for was deleted.',
      )
}
