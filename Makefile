# "make" alone prints the targets. Recipes source .ci/setup.sh, which finds the JDK 25, Maven and libuv.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# One cell of the test matrix; only the command line sets these, a variable DEBUG of the environment does not.
LIBUV := pinned
TASKS := carrier
DEBUG := 0
TEST :=
$(if $(filter pinned system,$(LIBUV)),,$(error LIBUV=$(LIBUV): pinned or system))
$(if $(filter carrier baton,$(TASKS)),,$(error TASKS=$(TASKS): carrier or baton))
$(if $(filter 0 1,$(DEBUG)),,$(error DEBUG=$(DEBUG): 0 or 1))

VERSION := 0.1.0-SNAPSHOT
PINNED := native/build/libuv.so.1
CLI := target/uvloop4j-cli.jar
AOT := target/uvloop4j.aot
JVM_FLAGS := --enable-native-access=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED

SETUP := . .ci/setup.sh
MVN := mvn -B -ntp -Dstyle.color=never
QUIET := $(MVN) -Dorg.slf4j.simpleLogger.defaultLogLevel=warn
JAVA := $$JAVA_HOME/bin/java

# One cell of the test matrix, as Maven properties; $(1) libuv, $(2) tasks, $(3) debug.
libuv_path = $$(if [ $(1) = pinned ] && [ -e $(PINNED) ]; then echo $(CURDIR)/$(PINNED); else system_libuv; fi)
cell = -Duvloop4j.libuv="$(call libuv_path,$(1))" -Duvloop4j.tasks=$(2) -Duvloop4j.debug=$(if $(filter 1,$(3)),true,false)
# A tagged subset on one more cell, over the classes that the full run has compiled.
subset = echo "== tests tagged cells: libuv $(1), tasks $(2), debug $(3)" && \
	$(MVN) surefire:test -Dgroups=cells -Dtest.forks=1 -Dsurefire.reportNameSuffix=$(1)-$(2)-$(3) $(call cell,$(1),$(2),$(3))
# A test that is named runs also where it needs programs of the machine.
named = -DexcludedGroups=$(if $(filter baton,$(TASKS)),carrier,none)
# Any of these on the command line asks for one cell; without them the whole matrix runs.
one_cell := $(strip $(foreach v,TEST LIBUV TASKS DEBUG,$(filter command,$(origin $(v)))))

.PHONY: help
help: ## Print this
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | \
		while IFS=$$'\t' read -r name text; do printf '  %-17s %s\n' "make $$name" "$$text"; done
	@echo "  One cell: make test TEST=Name LIBUV=system|pinned TASKS=carrier|baton DEBUG=0|1"

.PHONY: echo
echo: build ## Build, then a quick echo comparison: this library, NIO, virtual threads
	@$(SETUP) && $(JAVA) -jar $(CLI) echo-bench --quick

.PHONY: test
ifneq ($(one_cell),)
test: libuv ## Run every test, then the tagged ones on the system's libuv, on the baton, in debug mode
ifneq ($(filter %IT,$(TEST)),)
	@$(SETUP) && $(MVN) verify -Ppacked -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false -Dit.test='$(TEST)' \
		$(call cell,$(LIBUV),$(TASKS),$(DEBUG))
else
	@$(SETUP) && $(MVN) test $(if $(TEST),-Dtest='$(TEST)' $(named)) $(call cell,$(LIBUV),$(TASKS),$(DEBUG))
endif
else
test: libuv
	@$(SETUP) && $(MVN) verify -Ppacked $(call cell,pinned,carrier,0)
	@$(SETUP) && if [ ! -e $(PINNED) ]; then echo "== no pinned libuv: everything ran on the system's"; \
		elif [ -z "$$(system_libuv)" ]; then echo "== no system libuv: that cell is left out"; \
		else $(call subset,system,carrier,0); fi
	@$(SETUP) && $(call subset,pinned,baton,0)
	@$(SETUP) && $(call subset,pinned,carrier,1)
endif

.PHONY: examples-test
examples-test: libuv ## Test the examples with curl, wrk, nginx, redis-server, a browser, and with much garbage
	@$(SETUP) && $(MVN) test -Dgroups=peers,fuzz -DexcludedGroups=none -Dfuzz.percent=100 -Dsurefire.reportNameSuffix=peers $(call cell,pinned,carrier,0)

.PHONY: build
build: libuv ## Compile, check and pack, without running tests
	@$(SETUP) && $(QUIET) package -DskipTests

.PHONY: install
install: libuv ## Put the library, its sources, Javadoc and natives into the local Maven repository
	@$(SETUP) && $(QUIET) install -Ppacked -DskipTests

# The pinned libuv if it can be had; else the system's serves, and native/build.sh says so.
.PHONY: libuv
libuv:
	@$(SETUP) native && { ./native/build.sh || has_libuv; }

.PHONY: native
native: ## Build the pinned libuv (LIBUV_TARBALL= names a source archive)
	@$(SETUP) native && ./native/build.sh

.PHONY: bindings
bindings: ## Regenerate the bindings with jextract (PATH or JEXTRACT=)
	@$(SETUP) native && ./jextract.sh

.PHONY: benchmarks
benchmarks: libuv
	@$(SETUP) && $(QUIET) install -DskipTests -Dspotless.check.skip && $(QUIET) -f benchmarks/pom.xml package

.PHONY: bench
bench: benchmarks ## Compare the echo servers of every peer, then pinned and unpinned loops (BENCH_ARGS=)
	@$(SETUP) && $(JAVA) -cp benchmarks/target/benchmarks.jar io.github.uvloop4j.benchmarks.Compare $(BENCH_ARGS)

.PHONY: bench-http
bench-http: benchmarks ## Compare the HTTP example with Netty's codec under wrk, one loop each (BENCH_ARGS=)
	@$(SETUP) && $(JAVA) -cp benchmarks/target/benchmarks.jar io.github.uvloop4j.benchmarks.HttpCompare $(BENCH_ARGS)

.PHONY: bench-seed
bench-seed: benchmarks ## Measure the seed table and what futures cost end to end (BENCH_ARGS=)
	@$(SETUP) && $(JAVA) -cp benchmarks/target/benchmarks.jar io.github.uvloop4j.benchmarks.Compare --seed $(BENCH_ARGS)

.PHONY: bench-guard
bench-guard: benchmarks ## Measure what the blocking-call guard costs, on loops and beside them (BENCH_ARGS=)
	@$(SETUP) && $(JAVA) $(JVM_FLAGS) -javaagent:$(CLI) -cp benchmarks/target/benchmarks.jar \
		io.github.uvloop4j.benchmarks.GuardCost $(BENCH_ARGS)

.PHONY: bench-observe
bench-observe: benchmarks ## Measure what statistics, the watch and debug mode cost (BENCH_ARGS=)
	@$(SETUP) && $(JAVA) $(JVM_FLAGS) -cp benchmarks/target/benchmarks.jar \
		io.github.uvloop4j.benchmarks.ObservingCost $(BENCH_ARGS)

.PHONY: jmh
jmh: benchmarks ## Run the micro-benchmarks (JMH_ARGS=)
	@$(SETUP) && $(JAVA) -jar benchmarks/target/benchmarks.jar -jvmArgsAppend "$(JVM_FLAGS)" $(JMH_ARGS)

.PHONY: stress
stress: libuv ## Run the concurrency stress tests (STRESS_ARGS=)
	@$(SETUP) && $(QUIET) -Pstress process-classes && cd target && \
		$(JAVA) -cp "$$(cat stress.classpath)" org.openjdk.jcstress.Main $(or $(STRESS_ARGS),-m quick)

.PHONY: docs
docs: ## Write the Javadoc to target/reports/apidocs
	@$(SETUP) && $(QUIET) compile javadoc:javadoc

.PHONY: format
format: ## Format the sources
	@$(SETUP) && $(QUIET) spotless:apply

.PHONY: aot
aot: build ## Record an AOT cache for the runnable jar: target/uvloop4j.aot
	@$(SETUP) && .ci/aot.sh $(CLI) $(AOT)

.PHONY: clean
clean: ## Remove what was built, the pinned libuv included
	@rm -rf target benchmarks/target native/build
