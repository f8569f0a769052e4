import type { Config } from '../config.ts'
import { consoleSettings } from './settings/console.ts'
import { filesSettings } from './settings/files.ts'
import { keysSettings } from './settings/keys.ts'
import { modelsSettings } from './settings/models.ts'
import { monitoringSettings } from './settings/monitoring.ts'
import { requestsSettings } from './settings/requests.ts'
import { retentionSettings } from './settings/retention.ts'
import { serverSettings } from './settings/server.ts'
import { toolkitsSettings } from './settings/toolkits.ts'
import { workbenchSettings } from './settings/workbench.ts'
import type { Setting } from './settings/setting.ts'

export type { Setting }

/**
 * Every setting, by subject. A default may depend on the settings above it. `.env.example` and
 * `docs/reference/configuration.md` are generated from this table.
 */
export const settings: { [Field in keyof Config]: Setting<Config[Field]> } = {
  ...serverSettings,
  ...keysSettings,
  ...toolkitsSettings,
  ...filesSettings,
  ...modelsSettings,
  ...workbenchSettings,
  ...requestsSettings,
  ...monitoringSettings,
  ...retentionSettings,
  ...consoleSettings,
}
