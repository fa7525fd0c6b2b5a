//! The examples after each command's help. Titles are bold, like those of clap.

// No styles here: clap wraps from style to style, and would miss a line end before one.
pub(super) const TOP: &str = "\
Try it: patchwire demo. More: patchwire help COMMAND, man, completions SHELL
Exit status: 0 complete, 1 failed check, 2 usage, 3 no value, 4 limit";

pub(super) const PARSE: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  my-model | patchwire parse
  patchwire parse answer.txt --schema report.json
  patchwire parse answer.txt --format hybrid --schema report.yaml
  patchwire parse answer.txt --chunk-bytes 1 | grep '\"path\":\"title\"'
  patchwire parse streams.ndjson --input recording --values done
  curl -N … | patchwire parse --input openai-chat
  my-model | patchwire parse --wire json-patch
  my-model | patchwire parse --wire ag-ui > run.sse";

pub(super) const FINAL: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire final answer.txt
  patchwire final answers/*.txt > values.ndjson
  my-model | patchwire final --pretty
  patchwire final answer.txt --envelope | jq .notices
  patchwire final answer.txt --tags scratchpad --view last
  patchwire final answer.json --strictness strict && echo valid
  patchwire final answer.json --schema order.yaml --exact
  patchwire final answer.json --ensure 'items[*].sku'
  patchwire final values.ndjson --roots concatenated
  patchwire final body.sse --input anthropic --envelope | jq .calls";

#[cfg(feature = "chat")]
pub(super) const CHAT: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire chat 'Write a haiku about rain.' --endpoint ollama --model llama3.2 --schema haiku.yaml
  patchwire chat --endpoint openai --model gpt-4.1-mini --schema report.json < notes.txt
  patchwire chat 'Hi' --endpoint http://localhost:8000/v1 --model any --set temperature=0.2
  patchwire chat 'Hi' --endpoint ollama --model llama3.2 --schema hi.yaml --watch
  patchwire chat 'Hi' --endpoint ollama --model llama3.2 --format text --plain
  patchwire chat 'Plan a trip.' --endpoint anthropic --model claude-sonnet-4-5 --format hybrid \\
      --schema trip.yaml --ensure 'days[*].title'";

pub(super) const CHECK: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire check answers/*.txt
  patchwire check streams.ndjson --input recording
  patchwire check answers/*.txt --tags scratchpad --tags my-tags.toml
  patchwire check answer.txt --random 1000 --seed 7 --schema report.json
  patchwire check bodies/*.sse --input openai-chat";

pub(super) const RATE: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire rate answers/*.txt --schema report.yaml
  patchwire rate hybrid/*.txt --schema report.yaml --format hybrid
  patchwire rate streams.ndjson --input recording
  patchwire rate streams.ndjson --input recording --by provider --json
  patchwire rate bodies/*.sse --input anthropic --by source
  patchwire rate answers.parquet --column output --schema report.yaml";

#[cfg(feature = "batch")]
pub(super) const BATCH: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire batch answers.parquet --column output --schema report.yaml --out reports.parquet
  patchwire batch 'logs/*.jsonl' --column completion --to parquet --out parsed/
  patchwire batch answers.csv --column output --format hybrid --schema report.yaml \\
      --keep id --out reports.jsonl";

pub(super) const DEMO: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire demo
  patchwire demo hybrid
  patchwire demo tags
  patchwire demo --speed 0.3
  patchwire demo --json | head";

pub(super) const PROMPT: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire prompt --schema report.yaml
  patchwire prompt --schema report.json --format hybrid
  patchwire prompt --kind judge.verdict --kind no.verdict --extra winner
  patchwire prompt --schema report.json --format auto --skeleton
  (cat task.txt; patchwire prompt --schema report.yaml) | my-model |
    patchwire final --schema report.yaml";

#[cfg(feature = "serve")]
pub(super) const SERVE: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire serve
  patchwire serve --upstream http://localhost:11434/v1 --upstream-model llama3.2
  patchwire serve --listen 0.0.0.0:8080 --allow-host models.example
  patchwire serve --store redis://127.0.0.1:6379 --store-prefix shop:
  curl -N localhost:3000/v1/fields -H 'Content-Type: application/json' -d '{\"model\": \"json\"}'";

pub(super) const TRACE: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire trace answer.txt --chunk-bytes 1
  patchwire trace answer.txt --tags scratchpad --chunk-bytes 8
  patchwire trace answer.txt --chunk-seed 7 --schema report.json
  patchwire trace streams.ndjson --input recording --json | grep '\"held\"'
  patchwire trace answer.txt --repair";

#[cfg(feature = "watch")]
pub(super) const WATCH: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire watch
  my-model | patchwire watch --schema report.yaml
  patchwire watch answer.txt --format hybrid --schema report.yaml
  patchwire watch --demo hybrid --speed 0.5
  my-model | patchwire watch --record streams.ndjson
  curl -N … | patchwire watch --input openai-chat
  patchwire watch streams.ndjson --input recording --speed 2";

pub(super) const MAN: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire man | man -l -
  patchwire man --dir ~/.local/share/man/man1";

pub(super) const COMPLETIONS: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire completions bash \\
    > ~/.local/share/bash-completion/completions/patchwire
  patchwire completions zsh > ~/.zfunc/_patchwire   # with ~/.zfunc in $fpath
  patchwire completions fish > ~/.config/fish/completions/patchwire.fish
  patchwire completions powershell >> $PROFILE
  patchwire completions elvish > ~/.config/elvish/lib/patchwire.elv
    # and then, in rc.elv: use patchwire";
