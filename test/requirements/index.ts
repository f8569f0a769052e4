import { AUTH_CONFIGS } from './auth-configs.ts'
import { DECISIONS_1_TO_11 } from './decisions-1-to-11.ts'
import { DECISIONS_12_TO_23 } from './decisions-12-to-23.ts'
import { FIELD_REQUIREMENTS } from './fields.ts'
import { GENERAL } from './general.ts'
import { LIMITS_AND_VERSIONING } from './limits-and-versioning.ts'
import { MCP_SERVERS } from './mcp-servers.ts'
import { OPERATION_REQUIREMENTS } from './operations.ts'
import { PROJECTS_AND_FILES } from './projects-and-files.ts'
import type { Requirement } from './requirement.ts'
import { REST_ACCOUNTS } from './rest-accounts.ts'
import { REST_CONFIGURATION } from './rest-configuration.ts'
import { REST_GENERAL } from './rest-general.ts'
import { REST_TOOLKITS_AND_TRIGGERS } from './rest-toolkits-and-triggers.ts'
import { ROUTER_MCP_AND_FILES } from './router-mcp-and-files.ts'
import { ROUTER_SESSIONS } from './router-sessions.ts'
import { SESSIONS } from './sessions.ts'
import { TOOLKITS_AND_ACCOUNTS } from './toolkits-and-accounts.ts'
import { TOOLS } from './tools.ts'
import { TRIGGERS } from './triggers.ts'

/** Everything that the specification and its decisions promise. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...GENERAL,
  ...AUTH_CONFIGS,
  ...TOOLS,
  ...TOOLKITS_AND_ACCOUNTS,
  ...MCP_SERVERS,
  ...TRIGGERS,
  ...SESSIONS,
  ...PROJECTS_AND_FILES,
  ...DECISIONS_1_TO_11,
  ...DECISIONS_12_TO_23,
  ...LIMITS_AND_VERSIONING,
  ...FIELD_REQUIREMENTS,
  ...OPERATION_REQUIREMENTS,
  ...REST_GENERAL,
  ...REST_CONFIGURATION,
  ...REST_ACCOUNTS,
  ...REST_TOOLKITS_AND_TRIGGERS,
  ...ROUTER_SESSIONS,
  ...ROUTER_MCP_AND_FILES,
]
