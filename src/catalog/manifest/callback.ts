import { type Static, Type } from 'typebox'
import { OneOfText, optional, Strict, Text } from './shapes.ts'

/** How the browser comes back from the provider. */
export const Callback = Strict({
  code_param: optional(Text('Name of the code in the callback. Default `code`; for `admin_consent`, which brings none, what proves the consent: `tenant`.')),
  capture: optional(Type.Record(Type.String(), Type.Union([Type.String(), Strict({
    param: Text('The callback parameter.'), pattern: Text('Regular expression for the whole value; any other value ends the connection. Needed where the value chooses a host.'),
  })]), { description: 'Name of a connection value to the callback parameter that carries it, e.g. `realmId: realmId`.' })),
  state_from: optional(OneOfText(['cookie'], { description: 'For `authorize.flow: inbound_install`, whose provider brings no state: the connection is that which this browser began last. The callback address then ends in the slug of the toolkit.' })),
}, { description: 'What the provider sends the user back with.' })

export type CallbackManifest = Static<typeof Callback>
