import type { Operations } from './generated/types.ts'
import type { RequestOptions } from './http.ts'

export type OperationId = keyof Operations

/** The request of an operation: parameters of path and query, and fields of the body, in one object. */
export type RequestOf<Id extends OperationId> = Operations[Id]['request']
export type ResponseOf<Id extends OperationId> = Operations[Id]['response']

type Arguments<Id extends OperationId> =
  Record<string, never> extends RequestOf<Id>
    ? [request?: RequestOf<Id>, options?: RequestOptions]
    : [request: RequestOf<Id>, options?: RequestOptions]

/** The items of an operation that returns pages; `never` for others. */
export type ItemOf<Id extends OperationId> =
  ResponseOf<Id> extends { items: (infer Item)[]; total_pages: number } ? Item : never

/** One operation. `all` reads every page of a list. */
export type OperationMethod<Id extends OperationId> = ((...args: Arguments<Id>) => Promise<ResponseOf<Id>>) &
  ([ItemOf<Id>] extends [never]
    ? unknown
    : { all(...args: Arguments<Id>): AsyncGenerator<ItemOf<Id>, void, undefined> })

type Group = OperationId extends infer Id ? (Id extends `${infer Name}.${string}` ? Name : never) : never
type IdsOf<Name extends string> = Extract<OperationId, `${Name}.${string}`>

/** Every operation of the API by its group and name: `tools.execute`, `connectedAccounts.list`. */
export type Api = {
  readonly [Name in Group]: {
    readonly [Id in IdsOf<Name> as Id extends `${Name}.${infer Last}` ? Last : never]: OperationMethod<Id>
  }
}
