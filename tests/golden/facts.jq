# From modcheck's JSON to one fact a line: see README.
(.findings[]? | "finding \(.code) \(.path // "-") \(.symbol // "-") \(.severity)\(if .terminal then " terminal" else "" end)"),
(.modules | arrays | .[] | "module \(.verdict) \(.path)"),
(.summary | to_entries[] | select(.value | type == "number") | "count \(.key) \(.value)"),
(.summary.by_subsystem // {} | to_entries[] | "subsystem \(.key) \(.value.refused) \(.value.total)"),
"result \(.result)",
"model \(.kernel.preemption.model // "-")"
