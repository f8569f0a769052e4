import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { SessionConfig } from '../config/session-config.ts'
import { eventReceivers } from '../../webhooks/index.ts'
import { parseHook } from './hook-config.ts'

/** Returns the problems of the hooks of a configuration. */
export async function findHookProblems(
  { db, encryptor, hasModel, now }: { db: Db; encryptor: Encryptor; hasModel: boolean; now: number },
  projectId: string,
  { hooks = [], experimental }: SessionConfig,
): Promise<string[]> {
  if (hooks.length === 0) return []
  const parsed = hooks.map(parseHook)
  const ids = parsed.map((hook) => ('id' in hook ? hook.id : ''))
  const problemsByHook = parsed.map(async (hook, at): Promise<string[]> => {
    if ('problem' in hook) return [hook.problem]
    if (ids.indexOf(hook.id) !== at) return [`hooks[${at}].id: ${hook.id} is given twice`]
    if (hook.handler.kind === 'condition_check')
      return hasModel
        ? []
        : [
            `hooks[${at}].handler.type: condition_check needs a language model, and this server has ` +
              'none; use webhook, or ask the administrator to set LLM_BASE_URL and LLM_MODEL',
          ]
    const { subscriptionId } = hook.handler
    const event = `service.session_hook.${hook.type}` as const
    const isThere =
      subscriptionId === undefined ||
      (await eventReceivers(db, encryptor, projectId, event, now)).some(({ id }) => id === subscriptionId)
    return isThere
      ? []
      : [
          `hooks[${at}].handler.subscription_id: there is no enabled webhook subscription ` +
            `${subscriptionId} that takes ${event}`,
        ]
  })
  return [
    ...(await Promise.all(problemsByHook)).flat(),
    ...(experimental?.source_session_config ? ['hooks: cannot be combined with a saved configuration'] : []),
  ]
}
