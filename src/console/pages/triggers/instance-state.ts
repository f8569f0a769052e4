import type { TriggerInstance } from '../../../contract/triggers/index.ts'

/** The state of an instance as one word. */
export const stateOf = ({ disabled_at, state }: TriggerInstance): [status: string, label: string] =>
  disabled_at ? ['DISABLED', 'Disabled'] : state.stalled ? ['ERROR', 'Stalled'] : ['ENABLED', 'Enabled']
