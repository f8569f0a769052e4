-- Budgets of projects: how much of something a project, each of its users or each of its sessions may use in a period.
create table budgets (
  id text primary key,
  project_id text not null references projects,
  name text not null,
  metric text not null check (metric in ('calls', 'bytes', 'model_tokens', 'sandbox_seconds', 'storage_bytes')),
  scope text not null check (scope in ('project', 'user', 'session')),
  -- Null: the project, or every user or session on its own.
  subject text,
  period text not null check (period in ('hour', 'day', 'month', 'total')),
  amount bigint not null check (amount >= 0),
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (scope <> 'project' or subject is null),
  check (metric <> 'storage_bytes' or (scope = 'project' and period = 'total'))
);
create index budgets_oldest on budgets (project_id, created_at, id);
select restrict_to_projects('budgets');

-- What a subject used in a period. `subject` is '' for the project.
create table budget_usage (
  project_id text not null references projects,
  budget_id text not null references budgets on delete cascade,
  subject text not null,
  period_start timestamptz not null,
  used bigint not null,
  updated_at timestamptz not null default now(),
  primary key (budget_id, subject, period_start)
);
create index budget_usage_project on budget_usage (project_id, budget_id, period_start desc, used desc);
create index budget_usage_oldest on budget_usage (period_start);
select restrict_to_projects('budget_usage');
