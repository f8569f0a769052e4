import type { ErrorDefinition } from './definition.ts'

/** Errors of webhook subscriptions, events, webhook endpoints and alert rules (14xx). */
export const WEBHOOK_ERRORS = {
  WebhookSubscription_AddressRefused: {
    code: 1400,
    status: 400,
    fix:
      'Send a public HTTPS URL without credentials. For a receiver in your own network, ' +
      'ask the administrator of the server to allow it with EGRESS_ALLOW.',
  },
  WebhookSubscription_NotFound: {
    code: 1404,
    status: 404,
    fix: 'List the webhook subscriptions and use an id from there.',
  },
  WebhookSubscription_AlreadyExists: {
    code: 1409,
    status: 409,
    fix: 'Update the existing subscription with PATCH /webhook_subscriptions/{id}.',
  },
  WebhookSubscription_LimitReached: {
    code: 1410,
    status: 409,
    fix: 'Delete a subscription that is no longer needed, or enable more events on an existing one.',
  },
  Event_NotFound: {
    code: 1424,
    status: 404,
    fix:
      'List the events of the project and use an id from there. Events are stored for ' +
      'event_retention_days.',
  },
  Event_TooManyStreams: {
    code: 1429,
    status: 429,
    fix: 'Close streams that are not read, or read several projects in one process.',
  },
  WebhookEndpoint_NotFound: {
    code: 1450,
    status: 404,
    fix: 'List the webhook endpoints and use an id from there.',
  },
  WebhookEndpoint_NotSupported: {
    code: 1451,
    status: 400,
    fix: 'Create the trigger instance directly. The toolkit needs no webhook endpoint.',
  },
  WebhookEndpoint_LimitReached: {
    code: 1452,
    status: 409,
    fix: 'Delete a webhook endpoint that is no longer needed.',
  },
  WebhookIngress_Refused: {
    code: 1461,
    status: 401,
    fix: 'Compare the URL and the secret in the settings of the application with the webhook endpoint.',
  },
  WebhookIngress_Unreadable: {
    code: 1462,
    status: 400,
    fix: 'Send JSON or a form, as the application documents its deliveries.',
  },
  WebhookIngress_TooMany: {
    code: 1463,
    status: 429,
    fix: 'Send the delivery again after the number of seconds in Retry-After.',
  },
  WebhookIngress_Gone: {
    code: 1464,
    status: 410,
    fix: 'Remove the webhook in the application. Its trigger instance was deleted.',
  },
  Alert_InvalidTarget: {
    code: 1480,
    status: 400,
    fix: 'Correct the field that the message names.',
  },
  Alert_NotFound: {
    code: 1481,
    status: 404,
    fix: 'List the alert rules and use an id from there.',
  },
  Alert_LimitReached: {
    code: 1482,
    status: 409,
    fix: 'Delete an alert rule that is no longer needed.',
  },
  Alert_EmailNotConfigured: {
    code: 1483,
    status: 409,
    fix: 'Set SMTP_URL and SMTP_FROM at the server, or use the channel webhook or slack.',
  },
} as const satisfies Record<string, ErrorDefinition>
