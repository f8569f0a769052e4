import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { SessionConfig } from '../index.ts'
import { receiversOf } from '../../webhooks/index.ts'
import { readHook } from './hook.ts'

/** What of the hooks of a configuration cannot be used, in words for whoever configures the session. */
export async function hookMistakes(
  { db, encryptor, hasModel, now }: { db: Db; encryptor: Encryptor; hasModel: boolean; now: number },
  projectId: string,
  { hooks = [], experimental }: SessionConfig,
): Promise<string[]> {
  if (hooks.length === 0) return []
  const read = hooks.map(readHook)
  const ids = read.map((hook) => ('id' in hook ? hook.id : ''))
  const mistakes = read.map(async (hook, at): Promise<string[]> => {
    if ('mistake' in hook) return [hook.mistake]
    if (ids.indexOf(hook.id) !== at) return [`hooks[${at}].id: ${hook.id} is given twice`]
    if (hook.handler.kind === 'condition_check')
      return hasModel
        ? []
        : [
            `hooks[${at}].handler.type: condition_check needs a language model, and this server has none; use webhook, or have the operator set LLM_BASE_URL and LLM_MODEL`,
          ]
    const { subscriptionId } = hook.handler
    const event = `service.session_hook.${hook.type}` as const
    const isThere =
      subscriptionId === undefined ||
      (await receiversOf(db, encryptor, projectId, event, now)).some(({ id }) => id === subscriptionId)
    return isThere
      ? []
      : [
          `hooks[${at}].handler.subscription_id: there is no enabled webhook subscription ${subscriptionId} that takes ${event}`,
        ]
  })
  return [
    ...(await Promise.all(mistakes)).flat(),
    ...(experimental?.source_session_config
      ? ['hooks: cannot be given together with a saved configuration']
      : []),
  ]
}
