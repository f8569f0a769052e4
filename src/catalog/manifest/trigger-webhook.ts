import { type Static } from 'typebox'
import { OneOfText, Strict } from './shapes.ts'

/** How an application tells by itself of what is new. */
export const TriggerWebhook = Strict({
  scope: OneOfText(['instance', 'app'], { description: 'instance: each trigger has an address of its own, registered at the application; app: events of all accounts arrive at one address of an OAuth app.' }),
}, { description: 'A trigger that the application tells of what is new.' })

export type TriggerWebhookManifest = Static<typeof TriggerWebhook>
