import { ScriptTool } from "@robot-lab/core";
import { Executor } from "./run/executor.js";

ScriptTool.executor = Executor;
