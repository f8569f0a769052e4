import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ParseGraphQLServer, ParseServer } from 'parse-server'
import { parsePostgresUrl } from './postgres-url.ts'
import { closeServer, listenEarly, servePeer } from './serve-peer.ts'

interface Config {
  databaseUrl: string
  applicationId: string
  restApiKey: string
  masterKey: string
}

// Parse Server's own copies: its express is another major version than the one at the top of node_modules.
const requireFromParse = createRequire(import.meta.resolve('parse-server'))
const express = requireFromParse('express')
const FileSystemAdapter = requireFromParse('@parse/fs-files-adapter')

// Parse Server 9.10 routes the requests inside `POST /batch` by a private class of its router, and expects 2.2's way of
// leaving the parameters on the layer. It allows 2.3 too, which returns them: then every batch answers 500.
const Layer = requireFromParse('router/lib/layer')
const matchLayer = Layer.prototype.match
Layer.prototype.match = function (path: string) {
  const found = matchLayer.call(this, path)
  if (found?.params) this.params = found.params
  return found
}

servePeer<Config>(async (config, directory) => {
  const { server, origin, handle } = await listenEarly()
  const url = `${origin}/parse`
  const options = {
    appId: config.applicationId,
    restAPIKey: config.restApiKey,
    masterKey: config.masterKey,
    masterKeyIps: ['127.0.0.1', '::1'],
    serverURL: url,
    // The scheme is all it may take from here; the parts come decoded, in databaseOptions, and win.
    databaseURI: 'postgres://localhost',
    databaseOptions: { ...parsePostgresUrl(config.databaseUrl), max: 5 },
    allowClientClassCreation: true,
    // The default keeps files in MongoDB, whatever the database is.
    filesAdapter: new FileSystemAdapter({ filesSubDirectory: 'files' }),
    logsFolder: join(directory, 'logs'),
    logLevel: 'warn',
  }
  // Its types demand every key and know nothing of PostgreSQL.
  const parse = ParseServer(options as unknown as Parameters<typeof ParseServer>[0])
  await parse.start()
  const app = express().use('/parse', parse.app)
  // Its schema is made of the classes that there are, anew when one comes.
  const graphql = new ParseGraphQLServer(parse, { graphQLPath: '/graphql' }) as {
    applyGraphQL(app: unknown): void
  }
  graphql.applyGraphQL(app)
  handle(app)
  return {
    facts: { url, graphqlUrl: `${origin}/graphql` },
    async close() {
      await closeServer(server)
      await parse.config.databaseController.adapter.handleShutdown()
    },
  }
})
