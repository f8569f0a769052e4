import type { Policy, PolicyDraft } from '../../../contract/policies/index.ts'

/** The fields of the form. Lists are texts with commas; the test of an argument is one row. */
export interface FormValues {
  name: string
  outcome: Policy['outcome']
  enabled: boolean
  tools: string
  toolkits: string
  user_ids: string
  path: string
  operator: 'equals' | 'above' | 'below' | 'contains'
  value: string
  message: string
  /** Calls that send data in a session that has read content of other people. */
  afterUntrusted: boolean
}

export const COMPARISONS = [
  { value: 'equals', label: 'equals' },
  { value: 'above', label: 'is larger than' },
  { value: 'below', label: 'is smaller than' },
  { value: 'contains', label: 'contains' },
] as const

const LISTS = ['tools', 'toolkits', 'user_ids'] as const

/** The condition of the check box. */
const FLOW = { sends_data: true, untrusted_content: {} } as const
const isFlow = ({ sends_data: sends, untrusted_content: content }: Policy['when']): boolean =>
  sends === true && content !== undefined && Object.keys(content).length === 0

/** Whether the form can show every condition of a policy. Others are kept, and changed through the API. */
export const isSimple = ({ when }: Policy): boolean =>
  Object.keys(when).every((name) => name === 'arguments' || name in FLOW || LISTS.includes(name as never)) &&
  (isFlow(when) || (when.sends_data === undefined && !when.untrusted_content)) &&
  (when.arguments ?? []).length <= 1 &&
  (when.arguments ?? []).every(
    ({ path: _path, ...test }) =>
      Object.keys(test).length === 1 && COMPARISONS.some(({ value }) => value in test),
  )

export function valuesOf(policy: Policy | undefined): FormValues {
  const [test] = policy?.when.arguments ?? []
  const operator = COMPARISONS.find(({ value }) => test && value in test)?.value ?? 'equals'
  const list = (name: (typeof LISTS)[number]) => policy?.when[name]?.join(', ') ?? ''
  return {
    name: policy?.name ?? '',
    outcome: policy?.outcome ?? 'ask',
    enabled: policy?.enabled ?? true,
    tools: list('tools'),
    toolkits: list('toolkits'),
    user_ids: list('user_ids'),
    path: test?.path ?? '',
    operator,
    value: test ? String(test[operator] ?? '') : '',
    message: policy?.message ?? '',
    afterUntrusted: policy ? isFlow(policy.when) : false,
  }
}

/** Builds the request body. @param policy the policy that the form cannot show in full, whose conditions stay */
export function draftOf(values: FormValues, policy: Policy | undefined): PolicyDraft {
  const fields = {
    name: values.name,
    outcome: values.outcome,
    enabled: values.enabled,
    message: values.message || null,
  }
  if (policy && !isSimple(policy)) return { ...fields, when: policy.when }
  const lists = LISTS.flatMap((name) => {
    const items = values[name]
      .split(',')
      .map((text) => text.trim())
      .filter(Boolean)
    return items.length ? [[name, items]] : []
  })
  const test = values.path ? [{ path: values.path, [values.operator]: argumentOf(values) }] : undefined
  const flow = values.afterUntrusted ? FLOW : {}
  return { ...fields, when: { ...Object.fromEntries(lists), ...flow, ...(test && { arguments: test }) } }
}

/** Numbers and booleans are compared as such. `contains` compares texts. */
function argumentOf({ operator, value }: FormValues): string | number | boolean {
  if (operator === 'contains') return value
  if (value === 'true' || value === 'false') return value === 'true'
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}
