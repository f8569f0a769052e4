import type { PolicyCondition } from '../../../contract/policies/index.ts'

const LABELS = {
  tools: 'tools',
  toolkits: 'applications',
  hints: 'kinds of tools',
  user_ids: 'users',
  connected_account_ids: 'accounts',
  session_ids: 'sessions',
} as const

/** Returns the calls that a policy applies to, in a few words. */
export function describeConditions(condition: PolicyCondition): string {
  const lists = Object.entries(LABELS).flatMap(([name, label]) => {
    const values = condition[name as keyof typeof LABELS]
    return values?.length ? [`${label}: ${values.join(', ')}`] : []
  })
  const tests = (condition.arguments ?? []).map(({ path, ...test }) =>
    Object.entries(test)
      .map(([comparison, value]) => `${path} ${comparison.replaceAll('_', ' ')} ${JSON.stringify(value)}`)
      .join(' and '),
  )
  const { sends_data: sends, untrusted_content: content } = condition
  const flow = [
    ...(sends === undefined ? [] : [sends ? 'tools that send data' : 'tools that send no data']),
    ...(content ? [`after reading ${content.categories?.join(' or ') ?? 'content of other people'}`] : []),
    ...(content?.toolkits ? [`read from: ${content.toolkits.join(', ')}`] : []),
  ]
  return [...lists, ...flow, ...tests].join('; ') || 'every call'
}
