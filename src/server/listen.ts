import type { AddressInfo } from 'node:net'
import type { App } from '../app/create-app.ts'
import type { Config } from '../platform/config.ts'
import { cannotListen, type ReservedPort } from './port.ts'

/** Listens on the reserved port, and returns the URL. @throws StartupError */
export async function listen({ http }: App, { host, port }: Config, reserved: ReservedPort): Promise<string> {
  await reserved.release()
  await http.listen({ host, port }).catch((error: unknown) => {
    throw cannotListen(error, host, port)
  })
  return urlOf(http)
}

/** Listens on the port for health and metrics, if one is set, and returns the URL. @throws StartupError */
export async function listenForMonitoring(
  { monitoring }: App,
  { host, monitoringPort: port }: Config,
): Promise<string | undefined> {
  if (!monitoring) return undefined
  await monitoring.listen({ host, port: port ?? 0, exclusive: true }).catch((error: unknown) => {
    throw cannotListen(error, host, port ?? 0)
  })
  return urlOf(monitoring)
}

function urlOf({ server }: App['http']): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
