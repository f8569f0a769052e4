import type { SessionScope } from '../../scope/scope.ts'
import { RECONNECTABLE_STATUSES } from '../connections/manage-connections.ts'
import { describeError } from '../create-meta-tool.ts'
import type { RejectedItem } from './run-batch.ts'

/** Returns the link of a toolkit as the result of an item. */
export type LinkFor = (toolkit: string) => Promise<RejectedItem>
/** Whether data is a connect link of this server. The result of an application may have the same form. */
export type IsLink = (data: unknown) => data is Record<string, unknown>

/** Creates one connect link for each toolkit that is not connected, even if several items need it. */
export function createBatchLinks(
  { toWireName }: { toWireName(slug: string): string },
  scope: SessionScope,
): { linkFor: LinkFor; isLink: IsLink } {
  const linkByToolkit = new Map<string, Promise<RejectedItem>>()
  const ownLinks = new WeakSet<object>()
  const createLink = async (slug: string): Promise<RejectedItem> => {
    const connections = (await scope.connections([slug])).get(slug)
    const reason = `No active connection for ${slug}`
    if (!scope.config.manage_connections.enable)
      return {
        reason:
          `${reason}, and this session does not create connect links. ` +
          'Ask the owner of the session to connect it.',
      }
    if (connections?.isPinned)
      return {
        reason:
          `${reason}: the account of this session is not active. ` +
          `Reconnect it with ${toWireName('SERVICE_MANAGE_CONNECTIONS')}.`,
      }
    try {
      const expired = connections?.others.find(({ status }) => RECONNECTABLE_STATUSES.has(status))
      const { redirectUrl, connectedAccountId } = await scope.link(slug, { reconnectAccountId: expired?.id })
      const data = { toolkit: slug, redirect_url: redirectUrl, connected_account_id: connectedAccountId }
      ownLinks.add(data)
      return {
        reason:
          `${reason}. Show the user this link, and call the tool again after the user has connected: ` +
          redirectUrl,
        data,
      }
    } catch (error) {
      return { reason: `${reason}. ${describeError(error)}` }
    }
  }
  return {
    linkFor(slug) {
      let link = linkByToolkit.get(slug)
      if (!link) linkByToolkit.set(slug, (link = createLink(slug)))
      return link
    },
    isLink: (data): data is Record<string, unknown> =>
      typeof data === 'object' && data !== null && ownLinks.has(data),
  }
}
