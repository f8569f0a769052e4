import { OAUTH_ERROR_RULES } from './oauth-error-rules.ts'
import { RESPONSE_RULES } from './response-rules.ts'
import type { DiagnosisRule } from './rule.ts'
import { TOKEN_RESPONSE_RULES } from './token-response-rules.ts'
import { TRANSPORT_RULES } from './transport-rules.ts'
import { WARNING_RULES } from './warning-rules.ts'

/** All rules, the specific ones first: of a failure, only the first rule that applies is reported. */
export const DIAGNOSIS_RULES: readonly DiagnosisRule[] = [
  ...TRANSPORT_RULES,
  ...RESPONSE_RULES,
  ...OAUTH_ERROR_RULES,
  ...TOKEN_RESPONSE_RULES,
  ...WARNING_RULES,
]
