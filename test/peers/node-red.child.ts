import { once } from 'node:events'
import { createRequire } from 'node:module'
import RED from 'node-red'
import { closeServer, listenEarly, servePeer } from './serve-peer.ts'

interface Config {
  username: string
  password: string
  tokenTtlSeconds: number
}

// Tests log in often and the account lives for minutes: the cheapest hash that bcrypt allows is right here.
const BCRYPT_COST = 4
const FLOWS_START_TIMEOUT_MS = 30_000

const requireFromNodeRed = createRequire(import.meta.resolve('node-red'))
const bcrypt = requireFromNodeRed('bcryptjs')
const express = requireFromNodeRed('express')

servePeer<Config>(async (config, directory) => {
  const { server, origin, handle } = await listenEarly()
  RED.init(server, settingsFor(config, directory, await bcrypt.hash(config.password, BCRYPT_COST)))
  // start() resolves before the flows run; a flow deployed in between would be overwritten by the loaded ones.
  const flowsStarted = once(RED.events, 'flows:started', {
    signal: AbortSignal.timeout(FLOWS_START_TIMEOUT_MS),
  })
  await RED.start()
  await flowsStarted
  const stats = { tokenRequests: 0 }
  const router = express().disable('x-powered-by')
  router.post('/auth/token', (_request: unknown, _response: unknown, next: () => void) => {
    stats.tokenRequests++
    next()
  })
  // Both at the root, as in a default installation: what the admin API does not know is asked of the flows.
  handle(router.use('/', RED.httpAdmin).use('/', RED.httpNode))
  return {
    facts: { url: origin },
    controls: { stats: () => stats },
    async close() {
      await RED.stop()
      await closeServer(server)
    },
  }
})

function settingsFor(config: Config, directory: string, passwordHash: string): Record<string, unknown> {
  return {
    userDir: directory,
    flowFile: 'flows.json',
    credentialSecret: false,
    httpAdminRoot: '/',
    httpNodeRoot: '/',
    disableEditor: true,
    adminAuth: {
      type: 'credentials',
      sessionExpiryTime: config.tokenTtlSeconds,
      users: [{ username: config.username, password: passwordHash, permissions: '*' }],
    },
    // Off in a default installation; lets `POST /flows/state` stop and start all flows.
    runtimeState: { enabled: true, ui: false },
    editorTheme: { projects: { enabled: false }, tours: false },
    // Nothing leaves this machine: no usage reports, no look for updates, no npm.
    telemetry: { enabled: false, updateNotification: false },
    externalModules: {
      autoInstall: false,
      palette: { allowInstall: false, allowUpload: false },
      modules: { allowInstall: false },
    },
    functionExternalModules: false,
    logging: { console: { level: 'warn', metrics: false, audit: false } },
  }
}
