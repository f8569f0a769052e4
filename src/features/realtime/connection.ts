import type { WebSocket } from 'ws'
import { ApiError } from '../../platform/http/api-error.ts'
import { findTriggerFacts } from '../triggers/index.ts'
import type { PublishedEvent, TriggerMessageData } from '../events/index.ts'
import { eventMessages } from './chunks.ts'
import type { RealtimeDeps } from './deps.ts'
import { channelOf, type ChannelGrant, readGrant } from './grant.ts'
import { ACTIVITY_TIMEOUT_S, CLOSE, type CloseReason, messageText, readMessage } from './protocol.ts'
import { triggerData } from './trigger-data.ts'

/** Time to subscribe after connecting, and to reply to a ping. */
const AUTHORIZE_MS = 30_000
const PONG_MS = 30_000
const TICK_MS = 10_000
/** How long a client may take to read one event. */
const SLOW_MS = 30_000
const MESSAGES_PER_TICK_MAX = 100
const TRIGGER_MESSAGES = ['trigger.message']

interface Subscription {
  channel: string
  stop: AbortController
}

/** One connection of a client, for the channel of one project. Without a subscription it is closed after 30 seconds. */
export class RealtimeConnection {
  readonly #deps: RealtimeDeps
  readonly #socket: WebSocket
  readonly #projectId: string
  readonly #socketId: string
  readonly #timer: NodeJS.Timeout
  #subscription: Subscription | undefined
  #openedAt = performance.now()
  #seenAt = performance.now()
  #messages = 0

  constructor(deps: RealtimeDeps, socket: WebSocket, projectId: string, socketId: string) {
    this.#deps = deps
    this.#socket = socket
    this.#projectId = projectId
    this.#socketId = socketId
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
    socket.on('message', (bytes, isBinary) => this.#receive(isBinary ? '' : String(bytes)))
    socket.on('close', () => this.#end())
    socket.on('error', () => socket.terminate())
    const established = { socket_id: socketId, activity_timeout: ACTIVITY_TIMEOUT_S }
    socket.send(messageText('pusher:connection_established', established))
  }

  get isSubscribed(): boolean {
    return this.#subscription !== undefined
  }

  /** Says why and closes the connection. Clients decide by the code whether they reconnect. */
  close(reason: CloseReason): void {
    const [code, message] = CLOSE[reason]
    this.#socket.send(messageText('pusher:error', { code, message }))
    this.#socket.close(code, message)
    this.#end()
  }

  #end(): void {
    clearInterval(this.#timer)
    this.#subscription?.stop.abort()
    this.#subscription = undefined
  }

  #tick(): void {
    this.#messages = 0
    const silentMs = performance.now() - this.#seenAt
    if (!this.isSubscribed && performance.now() - this.#openedAt > AUTHORIZE_MS) this.close('notAuthorized')
    else if (silentMs > ACTIVITY_TIMEOUT_S * 1_000 + PONG_MS) this.close('noPong')
    else if (silentMs > ACTIVITY_TIMEOUT_S * 1_000) this.#socket.send(messageText('pusher:ping', {}))
  }

  #receive(text: string): void {
    this.#seenAt = performance.now()
    if (++this.#messages > MESSAGES_PER_TICK_MAX) return this.close('overCapacity')
    const message = readMessage(text)
    switch (message?.event) {
      case 'pusher:ping':
        return this.#socket.send(messageText('pusher:pong', {}))
      case 'pusher:pong':
        return
      case 'pusher:subscribe':
        return void this.#subscribe(message.channel, message.auth)
      case 'pusher:unsubscribe':
        return this.#unsubscribe(message.channel)
      case undefined:
        return this.#socket.send(
          messageText('pusher:error', { code: null, message: 'This message is not part of the protocol' }),
        )
    }
  }

  #unsubscribe(channel: string): void {
    if (this.#subscription?.channel !== channel) return
    this.#subscription.stop.abort()
    this.#subscription = undefined
    this.#openedAt = performance.now()
  }

  async #subscribe(channel: string, auth: string): Promise<void> {
    if (this.#subscription) return
    const subscription = { channel, stop: new AbortController() }
    this.#subscription = subscription
    try {
      const grant = readGrant(this.#deps.encryptor, auth, this.#socketId, this.#deps.clock.now())
      if (grant?.projectId !== this.#projectId || channel !== channelOf(this.#projectId)) throw invalidAuth()
      await this.#deps.checkAccess(grant)
      await this.#stream(grant, subscription)
    } catch (error) {
      if (!(error instanceof ApiError)) this.#deps.log.warn({ err: error }, 'a realtime subscription failed')
      if (this.#subscription === subscription) this.#subscription = undefined
      this.#reject(channel, error)
    }
  }

  #reject(channel: string, error: unknown): void {
    const [status, text] =
      error instanceof ApiError
        ? [error.status, error.message]
        : [500, 'The subscription failed. Try again later']
    this.#socket.send(
      messageText('pusher:subscription_error', { type: 'AuthError', error: text, status }, channel),
    )
  }

  /** Sends the events of the project until the client leaves, the key is revoked, or the server stops. */
  async #stream(grant: ChannelGrant, { channel, stop: { signal } }: Subscription): Promise<void> {
    const { streams } = this.#deps
    const { projectId } = grant
    let isRevoked = false
    const after = await streams.positionOf(undefined)
    const batches = streams.openEvents({
      position: { projectId, after, types: TRIGGER_MESSAGES, triggerIds: null },
      includeApprovals: false,
      signal,
      checkAccess: () =>
        this.#deps.checkAccess(grant).catch((error: unknown) => {
          isRevoked = error instanceof ApiError
          throw error
        }),
    })
    await this.#send(messageText('pusher_internal:subscription_succeeded', {}, channel))
    for await (const events of batches)
      for (const text of await this.#messagesOf(channel, projectId, events)) await this.#send(text)
    if (!signal.aborted) this.close(isRevoked ? 'notAuthorized' : 'restarting')
  }

  async #messagesOf(
    channel: string,
    projectId: string,
    events: readonly PublishedEvent[],
  ): Promise<string[]> {
    const idOf = ({ data }: PublishedEvent) => (data as unknown as TriggerMessageData).trigger_id
    const facts = await findTriggerFacts(this.#deps.db, projectId, [...new Set(events.map(idOf))])
    return events.flatMap((event) =>
      eventMessages(channel, 'trigger_to_client', triggerData(event, facts.get(idOf(event)))),
    )
  }

  /** Resolves when the client has taken the message, so that a slow one slows down the reading of events only. */
  async #send(text: string): Promise<void> {
    const timer = setTimeout(() => this.close('slowReader'), SLOW_MS)
    await new Promise<void>((resolve) => this.#socket.send(text, () => resolve()))
    clearTimeout(timer)
  }
}

const invalidAuth = () =>
  new ApiError('HTTP_Unauthorized', 'The auth value is not valid for this connection and channel.')
