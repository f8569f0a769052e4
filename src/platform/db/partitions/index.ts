/** Tables that are partitioned by time: partitions are created ahead, and retention drops them. */
export {
  changePartitions,
  dropPartitions,
  GROUPS,
  listPeriods,
  type PartitionGroup,
  type PartitionPeriod,
  type PartitionState,
  partitionStates,
} from './partitions.ts'
export { AHEAD_DAYS_MIN, isNearEnd, partitionSchedules, prepareAndCheck } from './schedules.ts'
export { createPartitions, type PartitionOptions, preparePartitions, preparePartitionsAt } from './prepare.ts'
