import type { CompiledWebhook, DeliveredItem, IncomingDelivery, Trigger } from '../../../../catalog/index.ts'
import type { InstanceRow } from '../../instances/store.ts'
import type { PushDeps } from '../deps.ts'
import { findByPublicId, listEndpoints } from '../endpoints/store.ts'
import { findByUrlToken } from '../registrations/store.ts'
import { endpointReceivers } from './endpoint-receivers.ts'
import { instanceReceiver } from './instance-receiver.ts'

export type Values = Readonly<Record<string, unknown>>

/** An instance that receives a delivery, with the items for it. */
export interface DeliveryTarget {
  instance: InstanceRow
  trigger: Trigger
  items: readonly DeliveredItem[]
}

/** One possible receiver of a delivery, until the delivery is verified. */
export interface Receiver {
  projectId: string
  webhook: CompiledWebhook
  /** The values with which deliveries are verified. */
  verificationValues(): Promise<Values>
  /** Stores values that the application sends in a handshake. Returns false if they are fixed already. */
  saveValues(values: Readonly<Record<string, string>>): Promise<boolean>
  /** A delivery was verified. */
  markVerified(): Promise<void>
  /** The instances that receive a delivery. Returns undefined if they were deleted. */
  findTargets(delivery: IncomingDelivery): Promise<DeliveryTarget[] | undefined>
}

const URL_TOKEN = /^wi_[A-Za-z0-9]{32}$/
const ENDPOINT_ID = /^we_[A-Za-z0-9]{12}$/
const PROJECT_ID = /^proj_[A-Za-z0-9]{12}$/
const ENDPOINTS_MAX = 20

/** The possible receivers at a URL, which contains the token of a registration or the id of an endpoint. */
export async function receiversAtToken(deps: PushDeps, toolkit: string, token: string): Promise<Receiver[]> {
  if (URL_TOKEN.test(token)) {
    const row = await findByUrlToken(deps.db, token)
    const receiver = row?.toolkit_slug === toolkit ? await instanceReceiver(deps, row) : undefined
    return receiver ? [receiver] : []
  }
  const endpoint = ENDPOINT_ID.test(token) ? await findByPublicId(deps.db, token) : undefined
  return endpoint?.toolkit_slug === toolkit
    ? endpointReceivers(deps, endpoint.project_id, toolkit, [endpoint])
    : []
}

/** The possible receivers at the older URL, which contains only the project. */
export async function receiversOfProject(
  deps: PushDeps,
  toolkit: string,
  projectId: string,
): Promise<Receiver[]> {
  if (!PROJECT_ID.test(projectId)) return []
  const endpoints = await listEndpoints(deps.db, projectId, toolkit, ENDPOINTS_MAX)
  return endpointReceivers(deps, projectId, toolkit, endpoints)
}
