import type { ErrorDefinition } from './definition.ts'

/** Errors of trigger types (11xx) and trigger instances (12xx). */
export const TRIGGER_ERRORS = {
  TriggerType_NotFound: {
    code: 1101,
    status: 404,
    fix: 'List the trigger types with GET /triggers_types and use a slug from there.',
  },
  TriggerInstance_NotFound: {
    code: 1204,
    status: 404,
    fix: 'List the trigger instances with GET /trigger_instances/active and use an id from there.',
  },
  TriggerInstance_AlreadyInState: {
    code: 1209,
    status: 409,
    fix: 'Nothing has to be done. The trigger instance has this status.',
  },
  TriggerInstance_Gone: {
    code: 1210,
    status: 410,
    fix: 'Create the trigger instance again. It was deleted.',
  },
  TriggerInstance_PollingConfigInvalid: {
    code: 1213,
    status: 400,
    fix: 'Correct the polling settings in trigger_config, such as interval.',
  },
  TriggerInstance_ConfigInvalid: {
    code: 1214,
    status: 400,
    fix: 'Correct trigger_config so that it is valid against config of the trigger type.',
  },
  TriggerInstance_WebhookEndpointRequired: {
    code: 1215,
    status: 400,
    fix: 'Create the webhook endpoint of the toolkit first, with POST /webhook_endpoints.',
  },
  TriggerInstance_ConnectionNotUsable: {
    code: 1216,
    status: 422,
    fix: 'Connect an account of the toolkit for this user, or enable the account, then try again.',
  },
  TriggerInstance_ApplicationRefused: {
    code: 1217,
    status: 422,
    fix:
      'Correct the cause in the message, in the application or in trigger_config, then ' +
      'create the trigger again.',
  },
  TriggerInstance_LimitReached: {
    code: 1218,
    status: 409,
    fix: 'Delete trigger instances that are no longer needed, or use another project.',
  },
  TriggerInstance_RealtimeNeedsHttps: {
    code: 1219,
    status: 400,
    fix:
      'Start the server with PUBLIC_URL=https://…, the URL of a proxy or tunnel with a certificate. Without https, ' +
      'use GET /events/stream, `patchbay listen` or a webhook subscription.',
  },
} as const satisfies Record<string, ErrorDefinition>
